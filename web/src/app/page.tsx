import { type ComponentType, lazy } from 'react'

import { type Area, loadTexts } from '@/lib/texts'

/** A page that is fetched when somebody goes there, together with the texts it shows. */
export function page(texts: readonly Area[], load: () => Promise<ComponentType>) {
  const fetch = async () => {
    const [component] = await Promise.all([load(), ...texts.map(loadTexts)])
    return { default: component }
  }
  const Page = lazy(fetch)
  return { element: <Page />, handle: { fetch } }
}
