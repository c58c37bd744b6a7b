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

// What the pages that are visited most show first is asked for along with the app's files, with the session's token;
// `lib/prefetched.ts` takes the answers.
;(function () {
  var kept = {}
  try {
    kept = { token: localStorage.getItem('token'), cart: localStorage.getItem('cart') }
  } catch (_) {
    // Storage is switched off: there is no session.
  }
  var dishes = dishesOf(kept.cart)
  var page = [
    [/^\/$/, ['restaurant', 'collection?sort=rating&limit=24']],
    [/^\/item\/?$/, ['collection?limit=24', 'restaurant'], 4],
    [/^\/product\/([^/]+)\/?$/, ['collection/getOne/$1', 'reviews/$1']],
    [/^\/restaurant\/([^/]+)\/?$/, ['restaurant/getOne/$1', 'collection/getAll/$1']],
    [/^\/cart\/?$/, dishes.concat('restaurant', dishes.length > 0 ? 'orders/quote' : [])],
    [/^\/track\/[^/]+\/?$/, kept.token ? ['delivery'] : []],
  ].find(function (one) {
    return one[0].test(location.pathname) && location.search === ''
  })
  var config = fetch('/config.json')
  var answers = config
    .then(function (answer) {
      return answer.clone().json()
    })
    .then(function (config) {
      var services = config.services || {}
      var asked = {}
      ;(page === undefined ? [] : page[1]).forEach(function (path, at) {
        ask(location.pathname.replace(page[0], path).replace(/\/$/, ''), at === 0)
      })
      return asked

      function ask(path, leadsOn) {
        var service = { delivery: 'delivery', 'orders/quote': 'order' }[path] || 'restaurant'
        var url = (services[service] || '') + '/api/v1/' + path
        var init = { headers: kept.token ? { Authorization: 'Bearer ' + kept.token } : {} }
        if (service === 'order') {
          init.method = 'POST'
          init.body = kept.cart
          init.headers['Content-Type'] = 'application/json'
        }
        var answer = leadsOn ? fetch(url, init).then(askForMore) : fetch(url, init)
        // The app gets it, whenever it asks.
        answer.catch(function () {})
        asked[init.body ? url + ' ' + init.body : url] = answer
      }

      // What the first answer leads to comes along with the app's files, too, and not after them: the pictures that are
      // seen first, one or as many as the page says, and whose dish it is. Only then is the answer given.
      function askForMore(answer) {
        return answer
          .clone()
          .json()
          .then(function (body) {
            if (body.restaurantId && /^\/product/.test(location.pathname)) ask('restaurant/getOne/' + body.restaurantId)
            askForPictures([].concat(body))
          })
          .catch(function () {})
          .then(function () {
            return answer
          })
      }
    })
    .catch(function () {
      // The app asks again, and says what is wrong.
      return {}
    })
  globalThis.askedAhead = { config: config, token: kept.token || null, answers: answers }

  function askForPictures(all) {
    var open = all.filter(function (one) {
      return one.isOpen !== false
    })
    var seen = (open.length > 0 ? open : all).slice(0, page[2] || 1)
    seen.forEach(function (one, at) {
      if (!one.images[0]) return
      var link = document.createElement('link')
      link.rel = 'preload'
      link.as = 'image'
      link.fetchPriority = at === 0 ? 'high' : 'auto'
      link.href = one.images[0]
      document.head.appendChild(link)
    })
  }

  function dishesOf(cart) {
    try {
      return JSON.parse(cart).orderItem.map(function (line) {
        return 'collection/getOne/' + encodeURIComponent(line.key)
      })
    } catch (_) {
      // No cart, or none that can be read.
      return []
    }
  }
})()

// While the files are on their way the browser reads what it knows of numbers and plurals: that takes a phone a while.
setTimeout(function () {
  new Intl.NumberFormat('en-LK').format(0)
  setTimeout(function () {
    new Intl.PluralRules('en').select(0)
  })
})
