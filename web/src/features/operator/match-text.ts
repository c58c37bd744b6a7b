import { titleCase } from '@/lib/format'

/** The longest excerpt, in characters. */
const LONGEST = 80

/** The first field of a payload with a searched word, `Item name: Chicken kottu`; null where no visible field has one. */
export function matchText(data: unknown, searched: string): string | null {
  const words = searched.toLowerCase().split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return null
  const field = fieldsOf(data, '').find(({ value }) => words.some((word) => value.toLowerCase().includes(word)))
  if (field === undefined) return null
  const value = field.value.length > LONGEST ? `${field.value.slice(0, LONGEST)}…` : field.value
  return `${titleCase(field.name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase())}: ${value}`
}

function fieldsOf(value: unknown, name: string): { name: string; value: string }[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ name, value: String(value) }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => fieldsOf(inner, Array.isArray(value) ? name : key))
}
