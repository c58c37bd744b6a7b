// Reads an AsyncAPI document with the specification's own parser; anything it complains of is an error.
import { readFile } from 'node:fs/promises'

import { Parser } from '@asyncapi/parser'

const [file] = process.argv.slice(2)
const { document, diagnostics } = await new Parser().parse(await readFile(file, 'utf8'))
// 0 is an error, 1 a warning; the rest are hints, such as that a newer version of the format exists.
const complaints = diagnostics.filter(({ severity }) => severity <= 1)
for (const { message, path } of complaints) console.error(`${path.join('.')}: ${message}`)
if (!document || complaints.length > 0) process.exit(1)
console.log(
  `${file}: AsyncAPI ${document.version()}, ${document.channels().length} channels, ${document.messages().length} messages`,
)
