/** The ends of what a page looks like: wide and light, narrow and dark. */
export const viewports = [
  { width: 1280, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const
