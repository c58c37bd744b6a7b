import '@testing-library/jest-dom/vitest'
import 'fake-indexeddb/auto'

import { i18n, type Messages } from '@lingui/core'
import { notifications } from '@mantine/notifications'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'

import { session } from '@/lib/session'
import { addMessages } from '@/lib/texts'

// Waits are long enough for a busy machine.
configure({ asyncUtilTimeout: 5_000 })

// Browser features that Mantine needs and jsdom lacks.
Object.defineProperty(window, 'matchMedia', {
  configurable: true,
  writable: true,
  value: (query: string) => ({
    matches: false,
    media: query,
    onchange: null,
    addListener: vi.fn(),
    removeListener: vi.fn(),
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
    dispatchEvent: vi.fn(),
  }),
})

class SilentObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
window.ResizeObserver = SilentObserver
Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() })
window.HTMLElement.prototype.scrollIntoView = () => {}

// Tests read English, all of it.
const english = import.meta.glob<Messages>('/src/texts/en/*.json', { eager: true, import: 'default' })
for (const [file, messages] of Object.entries(english)) addMessages('en', file.replace(/^.*\/|\.json$/g, ''), messages)
i18n.activate('en')

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})

// Files share one browser and its modules: each leaves them as it found them.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  notifications.clean()
  notifications.cleanQueue()
  session.end()
  i18n.activate('en')
})
