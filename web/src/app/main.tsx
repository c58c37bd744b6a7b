// Most pages show pictures: a phone waits longer for another file than for these few bytes.
import '@/ui/Picture.module.css'
import '@/ui/styles.css'

import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { startTexts } from '@/lib/texts'

import { App } from './App'
import { openPage } from './router'
import { installWorker } from './worker'

const rootElement = document.getElementById('root')
if (rootElement === null) throw new Error('index.html has no #root')

/** The time that a page waits for its first answers before it shows skeletons, in milliseconds. */
const SKELETON_DELAY = 250

function wait(milliseconds: number) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

// This module does not await it: pages import from this module's file, and would wait in turn.
async function start(element: HTMLElement) {
  const page = openPage(window.location)
  // A page that could not be fetched shows the error itself.
  const files = page.files.catch(() => undefined)
  const data = Promise.race([page.data(), wait(SKELETON_DELAY)])
  await Promise.all([data, startTexts(), files])
  const root = createRoot(element)
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
