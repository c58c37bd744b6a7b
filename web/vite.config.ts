import { fileURLToPath } from 'node:url'

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

import { brotliCopies } from './brotli'
import { platformConfiguration } from './configuration'
import { inlineIcon } from './icon'
import { paintOutlineFirst } from './outline'
import { pagePreloads } from './preloads'
import { componentStyles } from './styles'
import { compileTexts } from './texts'
import { serviceWorker } from './worker/plugin'

// The platform behind the development server.
const platform = process.env.TIFFIN_URL ?? 'http://localhost:8080'

// The version on `/testing`, and the moment of its build.
const build = `${process.env.npm_package_version ?? '0.1.0'}, built ${new Date().toISOString().slice(0, 16)}Z`

/** Modules that pages with fields and buttons share. The first visit of `/` does not need them. */
const INPUTS = [
  ...['Alert', 'Checkbox.CheckIcon', 'NativeSelect', 'SimpleGrid', 'TextInput', 'Textarea'].map((name) => `components.${name}`),
  ...['FormError', 'GrowingTextarea', 'LocateButton'].map((name) => `src.ui.${name}\\.`),
  ...['useMutation', 'use-uncontrolled', 'CartPage.module', 'DirectionProvider', 'IconStar', 'api.profile', 'geolocation'],
  ...['get-sorted-breakpoints', 'idempotency-keys', 'search-params'],
]

function anyOf(names: string[]): RegExp {
  return new RegExp(names.join('|'))
}

export default defineConfig({
  define: { 'import.meta.env.VITE_BUILD': JSON.stringify(build) },
  plugins: [platformConfiguration(platform), inlineIcon(), paintOutlineFirst(), compileTexts(), componentStyles(), react(), serviceWorker(), pagePreloads(), brotliCopies()],
  resolve: {
    alias: [
      { find: '@', replacement: fileURLToPath(new URL('./src', import.meta.url)) },
      { find: '@test', replacement: fileURLToPath(new URL('./test', import.meta.url)) },
      { find: /.*\/serverSentEvents\.gen$/, replacement: fileURLToPath(new URL('./src/api/server-sent-events.ts', import.meta.url)) },
      { find: /^leaflet$/, replacement: fileURLToPath(new URL('./src/ui/map/leaflet.js', import.meta.url)) },
    ],
  },
  server: {
    proxy: {
      '/api': platform,
      '/.well-known': platform,
      '/demo': platform,
      '/storage': platform,
      '/live': { target: platform, ws: true },
    },
  },
  build: {
    target: 'es2022',
    modulePreload: {
      polyfill: false,
      // The header of a page's document names its scripts. Naming all of them again in the app would be 4,400 bytes of a first visit.
      resolveDependencies: (_, files, { hostType }) => (hostType === 'html' ? files : files.filter((file) => file.endsWith('.css'))),
    },
    sourcemap: false,
    rolldownOptions: {
      treeshake: {
        // Each of Leaflet's modules for a kind of layer only makes that kind.
        moduleSideEffects: [{ test: /leaflet\/src\/layer\/(GeoJSON|ImageOverlay|Popup|SVGOverlay|VideoOverlay|vector\/(Circle|CircleMarker|Polygon|Rectangle))\.js/, sideEffects: false }],
      },
      output: {
        // The app names most files of the build: each letter of their hashes is a hundred bytes of a first visit.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:6][extname]',
        codeSplitting: {
          groups: [
            // Every page begins with two files: libraries, which stay in the browser's cache across releases, and our own.
            { name: 'libraries', tags: ['$initial'], test: /node_modules/ },
            { name: 'start', tags: ['$initial'] },
            // Each file costs a phone a trip: what many pages share is in few, and a group takes along what it needs.
            {
              name: 'parts',
              test: /components.(Anchor|Badge|Container|Skeleton)\/|src.(ui.Picture|lib.format)\.|Icon(MapPin|Search)\.|useInfiniteQuery\./,
            },
            { name: 'cards', test: /src.features.catalogue.(AddToCart|DishCard|RestaurantCard|RestaurantTime|cards.module|categories|unavailable-reason)/ },
            {
              name: 'layout',
              test: /components.(Card|Paper|VisuallyHidden)\/|src.ui.(Page|StatusBadge)\.|Icon(Check|CurrentLocation|Trash)\./,
            },
            // Apart from what forms need.
            { name: 'estimates', test: /src.(api.(estimates|profile)|ui.DeliveryTime)\./ },
            { name: 'inputs', test: anyOf(INPUTS) },
            { name: 'track', test: /features.tracking.(TrackPage|TrackingMap)\./ },
            { name: 'map', test: /src.ui.map.(CityMap|Moving|moving|motion|Pin|driver-mark|Route|route)|react-leaflet/ },
          ],
        },
      },
    },
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['./test/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}', 'roads/*.test.ts'],
    css: false,
    // A browser and all modules for each file would take most of the time.
    isolate: false,
    testTimeout: 15_000,
    restoreMocks: true,
  },
})
