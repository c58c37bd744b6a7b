import type { ListQuery } from '@/api/pages'

import { isUtc } from './time-zone'

/** The filters of events, by their names in addresses and in the service. */
export type FilterName = 'stream' | 'type' | 'aggregate' | 'correlation' | 'actor' | 'from' | 'to' | 'seq' | 'q'
export type EventFilter = Record<FilterName, string>

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const ORDER_CODE = /^ORD-[0-9A-Z]+$/i

/** True for an order's code. */
export function isOrderCode(text: string): boolean {
  return ORDER_CODE.test(text)
}

/** True for what looks like an e-mail address. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text)
}

/** The type that `order.placed`, `order placed` or `tiffin.order.placed.v1` names; `known` tells its latest version. */
export function typeOf(text: string, known: string[]): string {
  const [aggregate = '', ...words] = text.toLowerCase().replace(/^tiffin\./, '').split(/[.\s]+/)
  const last = words.at(-1) ?? ''
  if (words.length === 0 || (/^v\d+$/.test(last) && words.length === 1)) return text
  const version = /^v\d+$/.test(last) ? last : null
  const name = `tiffin.${aggregate}.${(version === null ? words : words.slice(0, -1)).join('_')}`
  if (version !== null) return `${name}.${version}`
  return known.filter((type) => type.replace(/\.v\d+$/, '') === name).sort().at(-1) ?? `${name}.v1`
}

/** True for an id of the platform. */
export function isId(text: string): boolean {
  return UUID.test(text)
}

export function readFilter(params: URLSearchParams): EventFilter {
  const given = (name: FilterName) => params.get(name)?.trim() ?? ''
  return {
    stream: given('stream').toUpperCase(),
    type: given('type'),
    aggregate: given('aggregate'),
    correlation: given('correlation'),
    actor: given('actor'),
    from: given('from'),
    to: given('to'),
    seq: given('seq'),
    q: given('q'),
  }
}

export type Fault = 'id' | 'time' | 'sequences' | 'backwards' | 'noOrder' | 'noAccount'

/** The fault of a filter; the service is not asked before it is corrected. */
export function faultsOf(filter: EventFilter): Partial<Record<FilterName, Fault>> {
  const faults: Partial<Record<FilterName, Fault>> = {}
  for (const name of ['aggregate', 'correlation'] as const) {
    if (filter[name] !== '' && !isId(filter[name]) && !isOrderCode(filter[name])) faults[name] = 'id'
  }
  for (const name of ['from', 'to'] as const) {
    if (filter[name] !== '' && Number.isNaN(Date.parse(filter[name]))) faults[name] = 'time'
  }
  const [, first, last = first] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(filter.seq) ?? []
  if (filter.seq !== '' && first === undefined) faults.seq = 'sequences'
  else if (Number(first) > Number(last)) faults.seq = 'backwards'
  const [from, to] = [Date.parse(filter.from), Date.parse(filter.to)]
  if (from > to) faults.to = 'backwards'
  return faults
}

/** The filter as the service takes it. */
export function queryOf(filter: EventFilter): ListQuery {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''))
}

/** A moment in the form of a `datetime-local` field: in the console's zone, which is not part of it. */
export function toField(time: string): string {
  const parsed = Date.parse(time)
  if (Number.isNaN(parsed)) return ''
  const offset = isUtc() ? 0 : new Date(parsed).getTimezoneOffset()
  return new Date(parsed - offset * 60_000).toISOString().slice(0, 19)
}

/** The moment of a `datetime-local` field in the form of RFC 3339; '' for none. */
export function fromField(field: string): string {
  const parsed = Date.parse(isUtc() ? `${field}Z` : field)
  return field === '' || Number.isNaN(parsed) ? '' : new Date(parsed).toISOString().replace('.000Z', 'Z')
}
