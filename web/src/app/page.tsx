import { type ComponentType, lazy, useState } from 'react'

import { type Area, loadTexts } from '@/lib/texts'

import type { FirstCalls } from './first-calls'

/** A page that is fetched on demand, together with its texts. */
export function page(texts: readonly Area[], load: () => Promise<ComponentType>, ask?: FirstCalls) {
  let fetched: ComponentType | null = null
  const fetch = async () => {
    const [component] = await Promise.all([load(), ...texts.map(loadTexts)])
    fetched = component
    return { default: component }
  }
  const Fetching = lazy(fetch)
  function Page() {
    // One that is at hand is shown at once, without a moment of waiting in between.
    const [Shown] = useState<ComponentType>(() => fetched ?? Fetching)
    return <Shown />
  }
  return { element: <Page />, handle: { fetch, ask } }
}
