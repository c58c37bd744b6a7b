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
import { installWorker } from './worker'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

await Promise.all([loadConfig(), startTexts()])
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
installWorker()
