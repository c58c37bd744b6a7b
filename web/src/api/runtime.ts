import type { CreateClientConfig } from './generated/client.gen'
import { send } from './send'

/** How the generated client is made: every call goes through `send`, every refusal is thrown. */
export const createClientConfig: CreateClientConfig = (given) => ({
  ...given,
  baseUrl: window.location.origin,
  fetch: send,
  throwOnError: true,
})
