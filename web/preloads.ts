import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

import { createServer, parse, type Plugin, type Rolldown } from 'vite'

import type { Route } from './src/app/routes'

const WEB = fileURLToPath(new URL('.', import.meta.url))
const ROUTES = path.join(WEB, 'src/app/routes.ts')
const PATHS = path.join(WEB, 'src/lib/paths.ts')
const TEXTS = /\/src\/texts\/(\w+)\/(\w+)\.json$/

interface Page {
  /** Its address, as react-router writes it: `/product/:key`. */
  path: string
  /** The modules of its component and of the frames around it. */
  modules: string[]
  /** The names of its files of texts. */
  texts: string[]
}

/**
 * Writes `preloads.json`: the files of the page of each address. The server names these files in the `Link` header of
 * the document, so that a browser fetches them along with the app, and not after it.
 */
export function pagePreloads(): Plugin {
  return {
    name: 'tiffin:preloads',
    apply: 'build',
    async writeBundle({ dir = 'dist' }, bundle) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
      const initial = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap((chunk) => [...filesOf(chunk, byName)]))
      const pages = (await readPages()).map(({ path: at, modules, texts }) => {
        const files = modules.flatMap((module) => {
          const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(module))
          if (chunk === undefined) throw new Error(`${module} is in no file.`)
          return [...filesOf(chunk, byName)]
        })
        return { path: at, files: [...new Set(files)].filter((file) => !initial.has(file)), texts }
      })
      await writeFile(path.join(dir, 'preloads.json'), JSON.stringify({ pages, texts: textsOf(chunks) }))
    },
  }
}

/** The pages of the list of routes, which is run as a module. */
async function readPages(): Promise<Page[]> {
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
    return await pagesOf({ children: routes }, { path: '/', modules: [], texts: ['app'] })
  } finally {
    await server.close()
  }
}

/** Replaces every module that the list of routes imports, except the paths: its exports are its own path. */
function exportsAreFiles(): Plugin {
  const PREFIX = '\0file:'
  return {
    name: 'tiffin:exports-are-files',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (importer !== ROUTES) return null
      const resolved = await this.resolve(source, importer, { skipSelf: true })
      return resolved === null || resolved.id === PATHS ? null : PREFIX + resolved.id
    },
    async load(id) {
      if (!id.startsWith(PREFIX)) return null
      const file = id.slice(PREFIX.length)
      const value = JSON.stringify(file)
      const { module } = await parse(file, await readFile(file, 'utf8'))
      const exported = module.staticExports.flatMap(({ entries }) => entries).filter(({ isType }) => !isType)
      return exported.map(({ exportName: { name } }) => `export const ${name ?? 'ignored'} = ${value}\n`).join('')
    },
  }
}

async function pagesOf(route: Route, frame: Page): Promise<Page[]> {
  // Unknown addresses and redirects have no files.
  if (route.path === '*' || route.redirect !== undefined) return []
  const module: unknown = await route.lazy?.()
  const page = {
    path: path.posix.resolve(frame.path, route.path?.replace(/\/\*$/, '') ?? ''),
    modules: typeof module === 'string' ? [...frame.modules, module] : frame.modules,
    texts: [...frame.texts, ...(route.texts ?? [])],
  }
  if (route.children === undefined) return [page]
  return (await Promise.all(route.children.map((child) => pagesOf(child, page)))).flat()
}

/** A chunk and all that it imports, with their style sheets. */
function filesOf(chunk: Rolldown.OutputChunk, byName: Map<string, Rolldown.OutputChunk>, found = new Set<string>()): Set<string> {
  if (found.has(`/${chunk.fileName}`)) return found
  found.add(`/${chunk.fileName}`)
  for (const sheet of chunk.viteMetadata?.importedCss ?? []) found.add(`/${sheet}`)
  for (const name of chunk.imports) {
    const imported = byName.get(name)
    if (imported !== undefined) filesOf(imported, byName, found)
  }
  return found
}

function textsOf(chunks: Rolldown.OutputChunk[]): Record<string, Record<string, string>> {
  const texts: Record<string, Record<string, string>> = {}
  for (const { facadeModuleId, fileName } of chunks) {
    const [, language, area] = TEXTS.exec(facadeModuleId ?? '') ?? []
    if (language !== undefined && area !== undefined) (texts[language] ??= {})[area] = `/${fileName}`
  }
  return texts
}
