import '@fontsource-variable/figtree/wght.css'
import '@fontsource-variable/bricolage-grotesque/wght.css'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import '@/ui/styles.css'

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { loadConfig } from '@/lib/config'
import { startTexts } from '@/lib/texts'

import { App } from './App'
import { fetchPage } from './router'
import { installWorker } from './worker'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

// Not awaited by this module: pages import what lies in its file, and would wait for it in turn.
async function start(place: HTMLElement) {
  // A page that can't be had says so itself, where it is shown.
  const page = fetchPage(window.location.pathname).catch(() => undefined)
  await Promise.all([loadConfig(), startTexts(), page])
  createRoot(place).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
  installWorker()
}

void start(root)
