import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import type { Plugin } from 'vite'

const FILE = fileURLToPath(new URL('./src/ui/outline.css', import.meta.url))
/** The end of the outline in index.html. */
const END = '<!-- The end of the outline. -->'
const STYLESHEET = /\n\s*<link rel="stylesheet"[^>]*>/g

/**
 * Writes the outline's styles into the document, and moves the stylesheets behind the outline. A browser paints what
 * comes before a stylesheet without waiting for it: the outline needs no file but the document.
 */
export function paintOutlineFirst(): Plugin[] {
  return [
    {
      name: 'tiffin:outline-styles',
      transformIndexHtml: {
        // Vite minifies a style that is there when it reads the document.
        order: 'pre',
        handler: async (html) => html.replace('</head>', `<style>${await readFile(FILE, 'utf8')}</style></head>`),
      },
    },
    {
      name: 'tiffin:stylesheets-after-outline',
      apply: 'build',
      transformIndexHtml: {
        order: 'post',
        handler: (html) => {
          const links = html.match(STYLESHEET) ?? []
          if (!html.includes(END)) throw new Error(`index.html has no ${END}`)
          return html.replaceAll(STYLESHEET, '').replace(END, links.join('').trim())
        },
      },
    },
  ]
}
