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

// The files of this address's page are asked for along with those that every page begins with, and not after them.
;(function () {
  var table = document.getElementById('ahead')
  if (table === null) return
  var ahead = JSON.parse(table.textContent)
  var page = ahead.pages.find(function (one) {
    return new RegExp(one.at).test(location.pathname)
  })
  if (page === undefined) return

  var chosen = null
  try {
    chosen = localStorage.getItem('language')
  } catch (_) {
    // Storage is switched off: the browser's languages decide.
  }
  var spoken = [chosen].concat(
    navigator.languages.map(function (tag) {
      return tag.slice(0, 2).toLowerCase()
    }),
  )
  var language = spoken.find(function (one) {
    return one !== null && ahead.texts[one] !== undefined
  })
  var texts = ahead.texts[language || 'en']
  var files = page.files.map(function (place) {
    return ahead.files[place]
  })
  ;['app'].concat(page.areas).forEach(function (area) {
    if (texts[area] !== undefined) files.push(texts[area])
  })
  files.forEach(function (file) {
    var link = document.createElement('link')
    link.rel = /\.css$/.test(file) ? 'preload' : 'modulepreload'
    if (link.rel === 'preload') link.as = 'style'
    link.crossOrigin = ''
    link.href = '/' + file
    document.head.appendChild(link)
  })
})()
