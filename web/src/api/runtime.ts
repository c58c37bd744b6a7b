import type { CreateClientConfig } from './generated/client.gen'
import { send } from './send'

/** The setup of the generated client: every call goes through `send`, every refusal is thrown. */
export const createClientConfig: CreateClientConfig = (given) => ({
  ...given,
  baseUrl: window.location.origin,
  fetch: send,
  throwOnError: true,
})
