import { fileURLToPath } from 'node:url'

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

import { componentStyles } from './styles'
import { compileTexts } from './texts'
import { serviceWorker } from './worker/plugin'

// The platform that the development server stands in front of.
const platform = process.env.TIFFIN_URL ?? 'http://localhost:8080'

// What `/testing` says runs: the version, and the moment it was built.
const build = `${process.env.npm_package_version ?? '0.1.0'}, built ${new Date().toISOString().slice(0, 16)}Z`

export default defineConfig({
  define: { 'import.meta.env.VITE_BUILD': JSON.stringify(build) },
  plugins: [compileTexts(), componentStyles(), react(), serviceWorker()],
  resolve: {
    alias: {
      '@': fileURLToPath(new URL('./src', import.meta.url)),
      '@test': fileURLToPath(new URL('./test', import.meta.url)),
    },
  },
  server: {
    proxy: {
      '/api': platform,
      '/.well-known': platform,
      '/config.json': platform,
      '/demo': platform,
      '/storage': platform,
      '/live': { target: platform, ws: true },
    },
  },
  build: {
    target: 'es2022',
    sourcemap: false,
    rolldownOptions: {
      output: {
        // What every page begins with comes in two files, since many small ones compress badly:
        // libraries, which stay in the browser's cache across releases, and our own.
        codeSplitting: {
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /node_modules/ },
            { name: 'start', tags: ['$initial'] },
            // Small parts that nearly every page of the site has.
            {
              name: 'parts',
              test: /@mantine[\\/]core[\\/].*[\\/](Anchor|Badge|Container|Skeleton)[\\/.]|@tabler[\\/].*[\\/]Icon(ArrowRight|MapPin|Minus|Plus|RosetteDiscountCheckFilled|Search|StarFilled)\.|react-query[\\/].*useInfiniteQuery|query-core[\\/].*infiniteQueryObserver|src[\\/](lib[\\/]format|ui[\\/](Page|Picture))\./,
              includeDependenciesRecursively: false,
            },
            // What cards of dishes and restaurants are made of, with the first page.
            {
              name: 'cards',
              test: /features[\\/]catalogue[\\/](HomePage|DishCard|RestaurantCard|AddToCart|Rated|categories|popular|refusal|cards)/,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['./test/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    css: false,
    testTimeout: 15_000,
    restoreMocks: true,
  },
})
