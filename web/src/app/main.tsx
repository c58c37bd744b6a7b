import '@/ui/styles.css'
// A few bytes, in the styles that every page begins with: one file less for most pages.
import '@/ui/GrowingTextarea.module.css'
import '@/ui/Picture.module.css'

import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { loadConfig } from '@/lib/config'
import { startTexts } from '@/lib/texts'

import { App } from './App'
import { openPage } from './router'
import { installWorker } from './worker'

const rootElement = document.getElementById('root')
if (rootElement === null) throw new Error('index.html has no #root')

/** The wait for answers once the app's files are loaded, in milliseconds: placeholders first would cost a phone more. */
const ANSWERS_TIMEOUT = 150

// Not awaited by this module: pages import what lies in its file, and would wait for it in turn.
async function start(place: HTMLElement) {
  const page = openPage(window.location)
  // A page that can't be had says so itself, where it is shown.
  const files = page.files().catch(() => undefined)
  // The configuration names the services' addresses.
  const config = loadConfig()
  const answers = config.then(page.answers)
  await Promise.all([config, startTexts(), files])
  await Promise.race([answers, new Promise((resolve) => setTimeout(resolve, ANSWERS_TIMEOUT))])
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

// In a separate task: a phone is busy long enough with reading all the modules.
setTimeout(() => void start(rootElement))
