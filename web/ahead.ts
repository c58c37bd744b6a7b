import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { Plugin, Rolldown } from 'vite'

const ROUTER = fileURLToPath(new URL('./src/app/router.tsx', import.meta.url))
const START = fileURLToPath(new URL('./start.js', import.meta.url))
const FAVICON = fileURLToPath(new URL('./public/favicon.svg', import.meta.url))
const ROUTE = /(?:index: true|path: '([^']+)'),\s*\.\.\.page\(\s*\[([^\]]*)\][^@]*?import\('(?:@|\.)\/([^']+)'\)/g

interface Page {
  /** A regular expression of its addresses. */
  at: string
  /** The files of texts that it shows. */
  areas: string[]
  /** Scripts and styles that it needs beyond what every page begins with. */
  files: string[]
}

/** Writes into the document which files each page needs, and `start.js`, which asks for those of the address. */
export function preloadPageFiles(): Plugin {
  return {
    name: 'tiffin:ahead',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((one) => one.type === 'chunk')
        const pages = pagesOf(chunks)
        // Most files belong to many pages, which call them by their place in this list.
        const files = [...new Set(pages.flatMap((page) => page.files))]
        const table = {
          files,
          pages: pages.map((page) => ({ ...page, files: page.files.map((file) => files.indexOf(file)) })),
          texts: textsOf(chunks),
        }
        const reader = '<script src="/start.js"></script>'
        if (!html.includes(reader)) throw new Error('index.html has no start.js.')
        // It is part of the document and costs no round trip; the server's policy has its hash.
        const start = `<script>\n${readFileSync(START, 'utf8')}</script>`
        return largestFirst(html)
          .replace(reader, () => `<script id="ahead" type="application/json">${JSON.stringify(table)}</script>\n    ${start}`)
          .replace('href="/favicon.svg"', () => `href="data:image/svg+xml,${encodeURIComponent(readFileSync(FAVICON, 'utf8'))}"`)
      },
    },
  }
}

/** Moves the largest file, which a page waits for longest, before the others. */
function largestFirst(html: string): string {
  const [link] = / *<link rel="modulepreload"[^>]*libraries-[^>]*>\n/.exec(html) ?? []
  if (link === undefined) throw new Error('No file holds the libraries alone.')
  return html.replace(link, '').replace(/ *<script type="module"/, (script) => link + script)
}

function pagesOf(chunks: Rolldown.OutputChunk[]): Page[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const initialFiles = new Set(chunks.filter((chunk) => chunk.isEntry).flatMap((chunk) => [...filesOf(chunk, byName)]))
  const source = readFileSync(ROUTER, 'utf8')
  const routes = [...source.matchAll(ROUTE)]
  if (routes.length !== source.split('...page(').length - 1) throw new Error('The routes of router.tsx are not understood.')
  return routes.map(([, path, areas = '', file = '']) => {
    const module = file.startsWith('features/') ? `/src/${file}.tsx` : `/src/app/${file}.tsx`
    const chunk =
      chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module)) ??
      chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)))
    if (chunk === undefined) throw new Error(`${module} is in no file.`)
    return {
      at: addressesOf(path ?? ''),
      areas: [...areas.matchAll(/'(\w+)'/g)].map(([, area = '']) => area),
      files: [...filesOf(chunk, byName)].filter((one) => !initialFiles.has(one)),
    }
  })
}

/** A chunk and all that it imports, what is needed first going first. */
function filesOf(chunk: Rolldown.OutputChunk, byName: Map<string, Rolldown.OutputChunk>, found = new Set<string>()): Set<string> {
  if (found.has(chunk.fileName)) return found
  found.add(chunk.fileName)
  for (const name of chunk.imports) {
    const imported = byName.get(name)
    if (imported !== undefined) filesOf(imported, byName, found)
  }
  for (const sheet of chunk.viteMetadata?.importedCss ?? []) found.add(sheet)
  return found
}

function addressesOf(path: string): string {
  const pattern = path
    .replace(/^\//, '')
    .replace(/:\w+/g, '[^/]+')
    .replace(/\/\*$/, '(/.*)?')
  return `^/${pattern}/?$`
}

function textsOf(chunks: Rolldown.OutputChunk[]): Record<string, Record<string, string>> {
  const texts: Record<string, Record<string, string>> = {}
  for (const { facadeModuleId, fileName } of chunks) {
    const [, language, area] = /\/src\/texts\/(\w+)\/(\w+)\.json$/.exec(facadeModuleId ?? '') ?? []
    if (language !== undefined && area !== undefined) (texts[language] ??= {})[area] = fileName
  }
  return texts
}
