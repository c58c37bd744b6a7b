import type { Plugin } from 'vite'

/** Puts the platform's configuration into the development server's document, as the platform does with its own. */
export function platformConfiguration(platform: string): Plugin {
  return {
    name: 'tiffin:configuration',
    apply: 'serve',
    async transformIndexHtml() {
      try {
        const answer = await fetch(`${platform}/config.json`)
        const children = (await answer.text()).replaceAll('<', '\\u003c')
        return [{ tag: 'script', attrs: { type: 'application/json', id: 'configuration' }, children, injectTo: 'head' }]
      } catch {
        // Without a platform the app starts with the defaults and says that it reaches no service.
        return []
      }
    },
  }
}
