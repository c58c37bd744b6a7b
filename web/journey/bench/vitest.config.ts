import { fileURLToPath } from 'node:url'

import { defineConfig } from 'vitest/config'

// Measurements: in a real browser against a whole platform, at TIFFIN_URL, or of the app's own modules.
export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('../../src', import.meta.url)) } },
  test: {
    environment: 'node',
    include: ['journey/bench/*.bench.ts'],
    testTimeout: 900_000,
    hookTimeout: 600_000,
  },
})
