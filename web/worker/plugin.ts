import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Plugin } from 'vite'

const SOURCE = fileURLToPath(new URL('./worker.js', import.meta.url))
const PUBLIC = fileURLToPath(new URL('../public', import.meta.url))
/** Files of `public` that no page needs at its start; the map's data is large and is fetched with the first map. */
const EXCLUDED = ['demo', 'map', 'manifest.webmanifest']

/** Writes the service worker, which knows every file of this build. */
export function serviceWorker(): Plugin {
  return {
    name: 'tiffin:worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        // Browsers that have service workers take the newer form of fonts.
        const built = Object.keys(bundle).filter((file) => file !== 'index.html' && !file.endsWith('.woff') && !file.startsWith('.vite/')).map((file) => `/${file}`)
        const files = ['/index.html', ...built, ...publicFiles('')].sort()
        const source = readFileSync(SOURCE, 'utf8')
        const version = createHash('sha256').update(source)
        for (const file of files) version.update(file)
        for (const file of publicFiles('')) version.update(readFileSync(join(PUBLIC, file)))
        const page = bundle['index.html']
        if (page?.type === 'asset') version.update(page.source)
        this.emitFile({
          type: 'asset',
          fileName: 'sw.js',
          source: source
            .replace('tiffin-VERSION', `tiffin-${version.digest('hex').slice(0, 12)}`)
            .replace('const FILES = []', `const FILES = ${JSON.stringify(files)}`),
        })
      },
    },
  }
}

function publicFiles(below: string): string[] {
  return readdirSync(join(PUBLIC, below), { withFileTypes: true })
    .filter(({ name }) => !EXCLUDED.includes(name))
    .flatMap((entry) => {
      const path = `${below}/${entry.name}`
      return entry.isDirectory() ? publicFiles(path) : [path]
    })
    .sort()
}
