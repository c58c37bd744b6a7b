// Takes the generator's open-work comments out of the generated client.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const file = join(process.argv[2], 'client', 'client.gen.ts')
writeFileSync(file, readFileSync(file, 'utf8').replace(/^\s*\/\/ [A-Z]{4,5}: .*\n/gm, ''))
