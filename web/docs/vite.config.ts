import { defineConfig } from 'vite'

import { brotliCopies } from '../brotli'

// A separate page beside the app, so that customers don't load it.
export default defineConfig({
  base: '/docs/',
  root: import.meta.dirname,
  publicDir: false,
  plugins: [brotliCopies()],
  // The app's style sheets are written in more than CSS; these are not.
  css: { postcss: { plugins: [] } },
  build: {
    target: 'es2022',
    outDir: '../dist/docs',
    emptyOutDir: true,
    // One library makes the page, and it comes as one file.
    chunkSizeWarningLimit: 2000,
  },
})
