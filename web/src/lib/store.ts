import * as v from 'valibot'

/** A value kept in local storage, shared by all tabs, readable outside React. */
interface Store<T> {
  get: () => T
  set: (value: T) => void
  subscribe: (listener: () => void) => () => void
}

/**
 * Keeps `key` as JSON checked by `schema`. What is missing or malformed reads as `empty`,
 * and storing `empty` removes the key.
 */
export function jsonStore<T>(key: string, schema: v.GenericSchema<unknown, T>, empty: T): Store<T> {
  const parse = (text: string | null): T => {
    if (text === null) return empty
    try {
      const read = v.safeParse(schema, JSON.parse(text))
      return read.success ? read.output : empty
    } catch {
      return empty
    }
  }
  return textStore(key, parse, (value) => (value === empty ? null : JSON.stringify(value)))
}

/** Keeps `key` as plain text; null without a value. */
export function plainStore(key: string): Store<string | null> {
  return textStore<string | null>(
    key,
    (text) => text,
    (value) => value,
  )
}

function textStore<T>(key: string, parse: (text: string | null) => T, print: (value: T) => string | null): Store<T> {
  const listeners = new Set<() => void>()
  // Snapshots must be the same object while nothing changed, so the parsed value is kept with its text.
  let snapshot: { text: string | null; value: T } | undefined

  const get = () => {
    const text = localStorage.getItem(key)
    if (snapshot === undefined || snapshot.text !== text) snapshot = { text, value: parse(text) }
    return snapshot.value
  }
  const notify = () => {
    for (const listener of listeners) listener()
  }
  const onStorage = (event: StorageEvent) => {
    if (event.key === key || event.key === null) notify()
  }
  return {
    get,
    set: (value) => {
      const text = print(value)
      if (text === null) localStorage.removeItem(key)
      else localStorage.setItem(key, text)
      notify()
    },
    subscribe: (listener) => {
      if (listeners.size === 0) window.addEventListener('storage', onStorage)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) window.removeEventListener('storage', onStorage)
      }
    },
  }
}
