// Before the first paint: the colours that were chosen, else the system's. No flash of the others.
;(function () {
  var chosen = null
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value')
  } catch (_) {
    // Storage is switched off: the system decides.
  }
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()

// Before the first schema: zod would try whether it may write code at run time, which the policy forbids.
globalThis.__zod_globalConfig = { jitless: true }
