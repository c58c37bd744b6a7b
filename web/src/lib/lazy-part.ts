import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

/** The wait before code is fetched again, in milliseconds. */
const PAUSE = 1_000
/** The tries while the browser is online: code of an earlier release may be gone for good. */
const TRIES = 3

/** A component whose code is fetched when it is first shown. Without a network it waits, and the page stays. */
export function lazyPart<Props>(load: () => Promise<{ default: ComponentType<Props> }>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() => fetchCode(load))
}

/** Fetches code, once there is a network. */
export async function fetchCode<Code>(load: () => Promise<Code>): Promise<Code> {
  for (let tries = 1; ; tries += navigator.onLine ? 1 : 0) {
    if (!navigator.onLine) await new Promise((resolve) => { window.addEventListener('online', resolve, { once: true }) })
    try {
      return await load()
    } catch (error) {
      if (navigator.onLine && tries === TRIES) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
    fetchStylesAgain()
  }
}

/** Fetches style sheets that failed: the second import of a module takes them as there. */
function fetchStylesAgain() {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) {
    if (link.sheet === null) link.replaceWith(link.cloneNode())
  }
}
