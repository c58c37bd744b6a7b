const SCRIPT = 'https://accounts.google.com/gsi/client'
const SCOPE = 'openid email profile'

interface TokenAnswer {
  access_token?: string
  error?: string
}

interface TokenClient {
  requestAccessToken: () => void
}

interface TokenRequest {
  client_id: string
  scope: string
  callback: (answer: TokenAnswer) => void
  error_callback: (error: { type: string }) => void
}

declare global {
  interface Window {
    google?: { accounts: { oauth2: { initTokenClient: (request: TokenRequest) => TokenClient } } }
  }
}

let loading: Promise<void> | undefined

/** Fetches Google's sign-in script, once, on demand. */
function loadScript(): Promise<void> {
  loading ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = SCRIPT
    script.async = true
    script.onload = () => {
      resolve()
    }
    script.onerror = () => {
      loading = undefined
      script.remove()
      reject(new Error(`${SCRIPT} could not be loaded.`))
    }
    document.head.append(script)
  })
  return loading
}

/** Signs the user in at Google; resolves with an access token for this app. */
export async function requestGoogleToken(clientId: string): Promise<string> {
  await loadScript()
  return new Promise((resolve, reject) => {
    const client = window.google?.accounts.oauth2.initTokenClient({
      client_id: clientId,
      scope: SCOPE,
      callback: ({ access_token: token, error }) => {
        if (token === undefined) reject(new Error(error ?? 'Google gave no token.'))
        else resolve(token)
      },
      error_callback: ({ type }) => {
        reject(new Error(type))
      },
    })
    if (client === undefined) reject(new Error(`${SCRIPT} gave no client.`))
    else client.requestAccessToken()
  })
}
