import { defineConfig } from 'vitest/config'

import { SpecTable } from './spec/table'

// The journeys run in real browsers against a whole platform, at TIFFIN_URL.
export default defineConfig({
  test: {
    environment: 'node',
    include: ['journey/**/*.journey.ts'],
    testTimeout: 300_000,
    hookTimeout: 60_000,
    // Polls wait as long as the browser's own waiting.
    expect: { poll: { timeout: 30_000 } },
    fileParallelism: false,
    reporters: ['default', new SpecTable()],
  },
})
