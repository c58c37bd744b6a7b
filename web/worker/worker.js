// Keeps the app's own files, so that it opens without a network. Built into `sw.js`, which replaces
// VERSION and FILES. Answers of services are never cached: they belong to one account.

const SHELL = 'tiffin-VERSION'
const PICTURES = 'tiffin-pictures'
/** The texts of notifications in the reader's language; the app stores them here. */
const TEXTS = 'tiffin-texts'
/** Pictures of the demo and drawings kept as they are seen. */
const MOST_PICTURES = 150
const FILES = []

self.addEventListener('install', (event) => {
  event.waitUntil(cacheShell())
})

self.addEventListener('activate', (event) => {
  event.waitUntil(deleteOtherCaches())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (request.mode === 'navigate' && !isService(url.pathname)) event.respondWith(fromDocument(request))
  else if (FILES.includes(url.pathname)) event.respondWith(fromShell(request))
  else if (url.pathname.startsWith('/demo/')) event.respondWith(fromPictures(request))
})

self.addEventListener('push', (event) => {
  if (event.data === null) return
  event.waitUntil(showPush(event.data.json()))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(event.notification.data.url))
})

async function showPush({ title, body, tag, url, titleCode, bodyCode, params, restaurant }) {
  const cached = await caches.match('/texts.json')
  const texts = cached === undefined ? {} : await cached.json()
  const translate = (code, sentence) => (texts[code] === undefined ? sentence : filled(texts[code], params))
  await self.registration.showNotification(translate(titleCode, title), {
    body: [translate(bodyCode, body), restaurant].filter((line) => line !== undefined).join('\n'),
    tag,
    icon: '/icons/192.png',
    data: { url },
  })
}

/** A compiled text with its values: a list begins with the name of one. */
function filled(text, params) {
  return [text]
    .flat()
    .map((part) => (typeof part === 'string' ? part : params[part[0]]))
    .join('')
}

/** Shows a page of the site: in a window that is open already, else in a new one. */
async function openPage(url) {
  const { href, origin } = new URL(url, self.location.origin)
  if (origin !== self.location.origin) return
  const [opened] = await self.clients.matchAll({ type: 'window' })
  if (opened === undefined) {
    await self.clients.openWindow(href)
    return
  }
  await opened.focus()
  await opened.navigate(href)
}

function isService(path) {
  return ['/api/', '/.well-known/', '/internal/', '/storage/', '/live'].some((start) => path.startsWith(start))
}

/** Hashed files that an older version kept are taken over; the rest is fetched past the browser's cache. */
async function cacheShell() {
  const shell = await caches.open(SHELL)
  await Promise.all(
    FILES.map(async (file) => {
      const had = file.startsWith('/assets/') ? await caches.match(file) : undefined
      await (had === undefined ? shell.add(new Request(file, { cache: 'no-cache' })) : shell.put(file, had))
    }),
  )
}

async function deleteOtherCaches() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => ![SHELL, PICTURES, TEXTS].includes(name)).map((name) => caches.delete(name)))
}

/** Every page of the app is its one document; under this name its header names no page's files. */
async function fromDocument(request) {
  const shell = await caches.open(SHELL)
  return (await shell.match('/index.html')) ?? (await fetch(request))
}

async function fromShell(request) {
  const shell = await caches.open(SHELL)
  return (await shell.match(request, { ignoreSearch: true })) ?? (await fetch(request))
}

async function fromPictures(request) {
  const pictures = await caches.open(PICTURES)
  const had = await pictures.match(request)
  if (had !== undefined) return had
  const answer = await fetch(request)
  if (answer.ok) {
    await pictures.put(request, answer.clone())
    const [oldest, ...others] = await pictures.keys()
    if (oldest !== undefined && others.length >= MOST_PICTURES) await pictures.delete(oldest)
  }
  return answer
}
