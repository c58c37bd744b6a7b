/** Asks for pictures before the components that show them are there; the first is the largest thing that is seen. */
export function preloadPictures(sources: (string | undefined)[]): void {
  for (const [at, source] of sources.entries()) {
    if (source === undefined) continue
    const link = document.createElement('link')
    link.rel = 'preload'
    link.as = 'image'
    link.fetchPriority = at === 0 ? 'high' : 'auto'
    link.href = source
    document.head.append(link)
  }
}
