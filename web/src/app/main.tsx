import '@fontsource/bricolage-grotesque/700.css'
import '@fontsource-variable/figtree/wght.css'
import '@/ui/styles.css'

import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { loadConfig } from '@/lib/config'
import { prepareFormats } from '@/lib/format'
import { startTexts } from '@/lib/texts'

import { App } from './App'
import { askAhead, fetchPage } from './router'
import { installWorker } from './worker'

const place = document.getElementById('root')
if (place === null) throw new Error('index.html has no #root')

// Not awaited by this module: pages import what lies in its file, and would wait for it in turn.
async function start(place: HTMLElement) {
  // A page that can't be had says so itself, where it is shown.
  const page = fetchPage(window.location.pathname).catch(() => undefined)
  setTimeout(prepareFormats)
  // Whom to ask is told by the configuration.
  const config = loadConfig().then(() => {
    askAhead(window.location)
  })
  await Promise.all([config, startTexts(), page])
  const root = createRoot(place)
  // In small pieces, between which the browser can answer a touch.
  startTransition(() => {
    root.render(
      <StrictMode>
        <App />
      </StrictMode>,
    )
  })
  installWorker()
}

void start(place)
