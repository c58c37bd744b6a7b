import { defineConfig } from 'vitest/config'

// Measurements in a real browser against a whole platform, at TIFFIN_URL.
export default defineConfig({
  test: {
    environment: 'node',
    include: ['journey/bench/*.bench.ts'],
    testTimeout: 900_000,
    hookTimeout: 600_000,
  },
})
