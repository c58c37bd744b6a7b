import '@testing-library/jest-dom/vitest'

import { i18n, type Messages } from '@lingui/core'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

import { addMessages } from '@/lib/texts'

// What is waited for may take its time on a machine that has other work.
configure({ asyncUtilTimeout: 5_000 })

// What Mantine asks of a browser and jsdom does not have.
Object.defineProperty(window, 'matchMedia', {
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
Object.defineProperty(document, 'fonts', { value: new EventTarget() })
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
