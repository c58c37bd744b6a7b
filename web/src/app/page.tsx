import { type ComponentType, lazy } from 'react'

import { type Area, loadTexts } from '@/lib/texts'

/** A page that is fetched when somebody goes there, together with the texts it shows. */
export function page(texts: readonly Area[], load: () => Promise<ComponentType>) {
  const Page = lazy(async () => {
    const [component] = await Promise.all([load(), ...texts.map(loadTexts)])
    return { default: component }
  })
  return { element: <Page /> }
}
