import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

import type { Plugin } from 'vite'

const compress = promisify(brotliCompress)
/** Text files that are large enough to gain by compression. */
const TEXT = /\.(css|js|json|svg)$/
const SMALLEST = 1_000

/** Puts a Brotli copy beside every text file of the build: as small as can be, which is too slow to do for each visitor. */
export function brotliCopies(): Plugin {
  let folder = 'dist'
  return {
    name: 'tiffin:brotli',
    apply: 'build',
    configResolved({ root, build }) {
      folder = path.resolve(root, build.outDir)
    },
    async closeBundle() {
      const names = await readdir(folder, { recursive: true })
      await Promise.all(
        names.filter((name) => TEXT.test(name)).map(async (name) => {
          const file = path.join(folder, name)
          const text = await readFile(file)
          if (text.length < SMALLEST) return
          const params = { [constants.BROTLI_PARAM_SIZE_HINT]: text.length }
          await writeFile(`${file}.br`, await compress(text, { params }))
        }),
      )
    },
  }
}
