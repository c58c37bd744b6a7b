import { inflateRawSync } from 'node:zlib'

/** The bytes of the central directory's entries and of its end before their names (PKZIP's APPNOTE, 4.3.12 and 4.3.16). */
const ENTRY = 46
const END = 22

/** The files of an archive by name. */
export function unzip(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf('PK\u0005\u0006', archive.length - END, 'latin1')
  if (end < 0) throw new Error('the archive has no directory')
  const files = new Map<string, Buffer>()
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, size] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)]
    const [name, extra, comment] = [archive.readUInt16LE(at + 28), archive.readUInt16LE(at + 30), archive.readUInt16LE(at + 32)]
    const header = archive.readUInt32LE(at + 42)
    const begin = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28)
    const content = archive.subarray(begin, begin + size)
    files.set(archive.toString('utf8', at + ENTRY, at + ENTRY + name), method === 0 ? content : inflateRawSync(content))
    at += ENTRY + name + extra + comment
  }
  return files
}
