/**
 * The address's parameters with one of them changed, or gone where it is empty. The address itself is
 * asked: what is rendered may be one change behind it.
 */
export function withSearchParam(name: string, value: string | null): URLSearchParams {
  const search = new URLSearchParams(window.location.search)
  if (value === null || value === '') search.delete(name)
  else search.set(name, value)
  return search
}
