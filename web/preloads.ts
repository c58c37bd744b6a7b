import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

import { createServer, type Manifest, parse, type Plugin } from 'vite'

import type { Route } from './src/app/routes'

const WEB = fileURLToPath(new URL('.', import.meta.url))
const ROUTES = path.join(WEB, 'src/app/routes.ts')
const TEXTS = /^src\/texts\/(\w+)\/(\w+)\.json$/

interface Page {
  /** Its address, as react-router writes it: `/product/:key`. */
  path: string
  /** Scripts and style sheets beyond those in the document. */
  files: string[]
  /** The names of its files of texts. */
  texts: string[]
}

/**
 * Writes `preloads.json`: what the page of each address is made of. The server names these files in the `Link` header of
 * the document, so that a browser fetches them along with the app, and not after it.
 */
export function pagePreloads(): Plugin {
  return {
    name: 'tiffin:preloads',
    apply: 'build',
    async writeBundle({ dir = 'dist' }, bundle) {
      const asset = bundle['.vite/manifest.json']
      if (asset?.type !== 'asset') this.error('The build has no manifest.')
      const manifest: Manifest = JSON.parse(String(asset.source))
      const initial = new Set(filesOf('index.html', manifest))
      const pages = (await pagesOfRoutes(manifest)).map((page) => ({
        ...page,
        files: [...new Set(page.files)].filter((file) => !initial.has(file)),
      }))
      const table = { pages, texts: textsOf(manifest) }
      await writeFile(path.join(dir, 'preloads.json'), JSON.stringify(table))
    },
  }
}

/** The pages of the list of routes, which is run as a module. */
async function pagesOfRoutes(manifest: Manifest): Promise<Page[]> {
  const server = await createServer({
    configFile: false,
    root: WEB,
    appType: 'custom',
    server: { middlewareMode: true, ws: false, watch: null },
    resolve: { alias: { '@': path.join(WEB, 'src') } },
    plugins: [exportsAreFiles()],
  })
  try {
    const { routes } = await server.ssrLoadModule(ROUTES)
    return await pagesOf({ children: routes }, { path: '/', files: [], texts: ['app'] }, manifest)
  } finally {
    await server.close()
  }
}

/** Replaces every module that the list of routes imports: its exports are its own path below `web`. */
function exportsAreFiles(): Plugin {
  const PREFIX = '\0file:'
  return {
    name: 'tiffin:exports-are-files',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (importer !== ROUTES) return null
      const resolved = await this.resolve(source, importer, { skipSelf: true })
      return resolved === null ? null : PREFIX + resolved.id
    },
    async load(id) {
      if (!id.startsWith(PREFIX)) return null
      const file = id.slice(PREFIX.length)
      const value = JSON.stringify(path.relative(WEB, file))
      const { module } = await parse(file, await readFile(file, 'utf8'))
      const exported = module.staticExports.flatMap(({ entries }) => entries).filter(({ isType }) => !isType)
      return exported.map(({ exportName: { name } }) => `export const ${name ?? 'ignored'} = ${value}\n`).join('')
    },
  }
}

async function pagesOf(route: Route, frame: Page, manifest: Manifest): Promise<Page[]> {
  const at = route.path?.startsWith('/') ? route.path : path.posix.join(frame.path, route.path ?? '')
  const component: unknown = await route.lazy?.()
  const page = {
    path: at,
    files: typeof component === 'string' ? [...frame.files, ...filesOf(component, manifest)] : frame.files,
    texts: [...frame.texts, ...(route.texts ?? [])],
  }
  // Addresses that are no page, and those that another takes the place of, have no files.
  if (route.path === '*' || route.redirect !== undefined) return []
  if (route.children === undefined) return [{ ...page, path: at.replace(/\/\*$/, '') }]
  return (await Promise.all(route.children.map((child) => pagesOf(child, page, manifest)))).flat()
}

/** A source's file and all that it imports, with their style sheets. */
function filesOf(source: string, manifest: Manifest, found = new Set<string>()): string[] {
  const chunk = manifest[source]
  if (chunk === undefined) throw new Error(`${source} is in no file.`)
  if (!found.has(`/${chunk.file}`)) {
    found.add(`/${chunk.file}`)
    for (const sheet of chunk.css ?? []) found.add(`/${sheet}`)
    for (const imported of chunk.imports ?? []) filesOf(imported, manifest, found)
  }
  return [...found]
}

function textsOf(manifest: Manifest): Record<string, Record<string, string>> {
  const texts: Record<string, Record<string, string>> = {}
  for (const [source, { file }] of Object.entries(manifest)) {
    const [, language, area] = TEXTS.exec(source) ?? []
    if (language !== undefined && area !== undefined) (texts[language] ??= {})[area] = `/${file}`
  }
  return texts
}
