import { describe, expect, it } from 'vitest'

// As compiled: a text, or its parts, of which a list begins with the name of what is put in.
type Part = string | [name: string, type?: string, forms?: Record<string, Part[] | number> | string]
type Texts = Record<string, string | Part[]>

const files = import.meta.glob<Texts>('/src/texts/*/*.json', { eager: true, import: 'default' })

const areas = [...new Set(Object.keys(files).map((file) => file.replace(/^.*\/|\.json$/g, '')))]

/** The placeholders of a text: `{order}`, `{count, plural, …}`. */
function placeholders(text: string | Part[]): string[] {
  if (typeof text === 'string') return []
  const names = text.flatMap((part) => {
    if (typeof part === 'string') return []
    const [name, , forms] = part
    const within =
      typeof forms === 'object'
        ? Object.values(forms).flatMap((form) => (Array.isArray(form) ? placeholders(form) : []))
        : []
    return name === '#' ? within : [name, ...within]
  })
  return [...new Set(names)].sort()
}

describe.each(areas)('the texts of %s', (area) => {
  const english = files[`/src/texts/en/${area}.json`] ?? {}

  it.each(['si', 'ta'])('are all there in %s, with the same values put in', (language) => {
    const other = files[`/src/texts/${language}/${area}.json`] ?? {}
    const shape = (texts: Texts) =>
      Object.fromEntries(
        Object.entries(texts)
          .sort(([a], [b]) => a.localeCompare(b))
          .map(([key, text]) => [key, placeholders(text)]),
      )
    expect(shape(other)).toEqual(shape(english))
  })

  it('says something in every text', () => {
    expect(Object.entries(english).filter(([, text]) => text.length === 0)).toEqual([])
  })
})
