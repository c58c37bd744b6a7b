/** The parts of Stripe's script that are used here (<https://docs.stripe.com/js>). */
interface CardElement {
  mount: (place: HTMLElement) => void
  destroy: () => void
}

interface Failed {
  message?: string
}

interface StripeApi {
  elements: () => { create: (type: 'card', options: { hidePostalCode: boolean; style: unknown }) => CardElement }
  createToken: (card: CardElement) => Promise<{ token?: { id: string }; error?: Failed }>
  confirmCardPayment: (clientSecret: string) => Promise<{ error?: Failed | null }>
}

declare global {
  interface Window {
    Stripe?: (publishableKey: string) => StripeApi
  }
}

/** Stripe's own field for a card, once it is shown. */
export interface StripeCard {
  /** A token of the card that is in the field, for one payment. */
  token: () => Promise<string>
  confirm: (clientSecret: string) => Promise<void>
}

/** The details of a card are incomplete or wrong. */
export class CardRefused extends Error {}

/** The longest wait for the script, in milliseconds. */
const LOADING_TIMEOUT = 20_000

/** Fetches Stripe's script, on demand. It fails where something blocks the script, and may be called again then. */
export async function loadStripe({ script: src, publishableKey }: { script: string; publishableKey: string }): Promise<StripeApi> {
  if (window.Stripe === undefined) await loadScript(src)
  if (window.Stripe === undefined) throw new Error(`${src} is not Stripe's script.`)
  return window.Stripe(publishableKey)
}

function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    const fail = () => {
      clearTimeout(timer)
      script.remove()
      reject(new Error(`${src} could not be loaded.`))
    }
    const timer = setTimeout(fail, LOADING_TIMEOUT)
    script.src = src
    script.async = true
    script.onload = () => {
      clearTimeout(timer)
      resolve()
    }
    script.onerror = fail
    document.head.append(script)
  })
}

/** Shows Stripe's field at a place; what is returned last takes it away. */
export function showCard(stripe: StripeApi, place: HTMLElement): [card: StripeCard, end: () => void] {
  const { color, fontFamily } = getComputedStyle(place)
  const style = { base: { color, fontFamily, fontSize: '16px' } }
  const element = stripe.elements().create('card', { hidePostalCode: true, style })
  element.mount(place)
  const card = {
    token: async () => {
      // It throws where nothing was typed.
      const { token } = await stripe.createToken(element).catch(() => ({ token: undefined }))
      if (token === undefined) throw new CardRefused()
      return token.id
    },
    confirm: (clientSecret: string) => confirmAtBank(stripe, clientSecret),
  }
  return [
    card,
    () => {
      element.destroy()
    },
  ]
}

/** Lets the customer confirm a payment at the bank. A refusal is no error here: the service knows how it ended. */
export async function confirmAtBank(stripe: StripeApi, clientSecret: string): Promise<void> {
  await stripe.confirmCardPayment(clientSecret)
}
