import { readFileSync } from 'node:fs'

import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

/** Compiles the message catalogues of `src/texts`, so that browsers need no parser for them. */
export function compileTexts(): Plugin {
  return {
    name: 'tiffin:texts',
    enforce: 'pre',
    load(id) {
      const file = id.split('?')[0] ?? id
      if (!/\/src\/texts\/\w+\/\w+\.json$/.test(file)) return null
      const messages: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'))
      const compiled = Object.entries(messages).map(([key, text]) => [key, compileMessage(text)])
      return JSON.stringify(Object.fromEntries(compiled))
    },
  }
}
