import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { Plugin } from 'vite'

const LIBRARY = '@mantine/core/styles'
const SHEETS = fileURLToPath(new URL(`./node_modules/${LIBRARY}`, import.meta.url))
/** The base of every component: the reset, the variables, the rules for plain elements. */
const FOUNDATION = ['baseline', 'default-css-variables', 'global']
/**
 * The styles of most pages come with it: a phone waits longer for another file than for these few bytes. In the library's own
 * order (https://mantine.dev/styles/css-files-list/), since of two rules for one element the later wins.
 */
const MOST_PAGES = [
  ...['UnstyledButton', 'VisuallyHidden', 'Paper', 'Loader', 'ActionIcon', 'CloseButton', 'Group', 'Input', 'Alert', 'Text'],
  ...['Anchor', 'Combobox', 'Avatar', 'Badge', 'Burger', 'Button', 'Card', 'Center', 'Container', 'Divider', 'Indicator'],
  ...['Rating', 'SimpleGrid', 'Skeleton', 'Stack', 'Title'],
]

/**
 * Has every component of the library bring its own style sheet, so that a page fetches the styles of
 * what it shows and no others. They lie in a layer: ours come after them, in whatever order files arrive.
 */
export function componentStyles(): Plugin {
  let isServing = false
  return {
    name: 'tiffin:styles',
    enforce: 'pre',
    configResolved({ command }) {
      isServing = command === 'serve'
    },
    transform(code, id) {
      const file = id.split('?')[0] ?? id
      if (file.endsWith('/src/app/main.tsx')) {
        // The development server bundles the library ahead, and takes its styles as a whole.
        const sheets = isServing ? [LIBRARY] : [...FOUNDATION, ...MOST_PAGES].map((name) => `${LIBRARY}/${name}`)
        return { code: sheets.map(importStatement).join('') + code, map: null }
      }
      const name = /\/@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/.exec(file)?.[1]
      if (name === undefined || !existsSync(`${SHEETS}/${name}.layer.css`)) return null
      return { code: importStatement(`${LIBRARY}/${name}`) + code, map: null }
    },
  }
}

function importStatement(sheet: string): string {
  return `import '${sheet}.layer.css'\n`
}
