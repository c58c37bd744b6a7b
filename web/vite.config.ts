import { fileURLToPath } from 'node:url'

import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

import { preloadPageFiles } from './ahead'
import { brotliCopies } from './brotli'
import { componentStyles } from './styles'
import { compileTexts } from './texts'
import { serviceWorker } from './worker/plugin'

// The platform behind the development server.
const platform = process.env.TIFFIN_URL ?? 'http://localhost:8080'

// What `/testing` says runs: the version, and the moment it was built.
const build = `${process.env.npm_package_version ?? '0.1.0'}, built ${new Date().toISOString().slice(0, 16)}Z`

// Pieces that many pages share: one file each, since every file costs a phone a way there and back.
const PARTS = oneOf([
  String.raw`@mantine/core/.*/(Anchor|Badge|Card|CardSection|Container|Paper|Skeleton|VisuallyHidden|create-safe-context)[/.]`,
  String.raw`@mantine/(core|hooks)/.*/(clamp|noop|use-color-scheme|use-mantine-color-scheme|use-reduced-motion)[/.]`,
  String.raw`@tabler/.*/Icon(Check|CurrentLocation|Minus|Plus|Trash)\.`,
  String.raw`src/(lib/(format|geolocation|search-params|render-timing)|ui/(Page|Picture|StatusBadge))\.`,
])
const INPUTS = oneOf([
  String.raw`@mantine/core/.*/(Alert|CheckIcon|CloseButton|Combobox\w*|DirectionProvider|Input\w*|NativeSelect|TextInput|Textarea)[/.]`,
  String.raw`@mantine/core/.*/(SimpleGrid|get-(base-value|breakpoint-value|env|sorted-breakpoints)|use-resolved-styles-api)[/.]`,
  String.raw`@mantine/hooks/.*/use-(id|merged-ref|uncontrolled)[/.]`,
  String.raw`@tanstack/.*/(mutationObserver|useMutation)\.`,
  String.raw`src/ui/GrowingTextarea\.`,
])
// What cards of dishes and restaurants are made of, with the first page.
const CARDS = oneOf([
  String.raw`src/features/catalogue/(HomePage|DishCard|RestaurantCard|AddToCart|RatingSummary|categories|popular|unavailable-reason|cards)`,
  String.raw`@tabler/.*/Icon(ArrowRight|MapPin|RosetteDiscountCheckFilled|Search|StarFilled)\.`,
  String.raw`@tanstack/.*/(useInfiniteQuery|infiniteQueryObserver)\.`,
])
// What one page alone is made of, or nearly so.
const PRODUCT = oneOf([
  String.raw`src/features/catalogue/(ProductPage|product|Review|StarField)`,
  String.raw`@mantine/core/.*/Rating/`,
  String.raw`@tabler/.*/Icon(Ban|Star)\.`,
])
const CART = oneOf([
  String.raw`src/features/checkout/(CartLine|CartPage|DeliverTo|idempotency-keys|cart-contents|cart-groups|place-order)`,
  String.raw`@mantine/core/.*/Divider/`,
  String.raw`@tanstack/.*/(queriesObserver|useQueries)\.`,
])
const TRACKING = oneOf([
  String.raw`src/features/tracking/(ConnectionBanner|StatusSteps|TrackPage|Tracking|use-driver-position|use-every-second|eta|tracking)`,
  String.raw`src/ui/map/(position-source|geo)\.`,
  String.raw`@tabler/.*/Icon(Bike|HomeCheck|PlugConnected|PlugConnectedX|ToolsKitchen2)\.`,
])
// The map of a delivery, with its library.
const MAP = oneOf([
  String.raw`node_modules/(leaflet/.*css|react-leaflet/|@react-leaflet/)`,
  String.raw`src/ui/map/(CityMap|GlidingMarker|Pin|city-(layer|painter)|driver-mark|glid|map|tile)`,
])

/**
 * Gives fields React's own ids. Those of the library change once a page is there, by a state that is set before
 * the first paint: every field would be drawn twice, and all effects of the page run, in one go with it.
 */
function reactIds(): Plugin {
  return {
    name: 'tiffin:ids',
    apply: 'build',
    transform(code, id) {
      if (!/@mantine\/hooks\/esm\/use-id\/use-id\.mjs$/.test(id)) return null
      if (!code.includes('setUuid(randomId())')) this.error('@mantine/hooks makes its ids in another way: is this plugin still needed?')
      return {
        code: `import { useId as useIdOfReact } from 'react'
export function useId(given) {
  const own = useIdOfReact()
  return typeof given === 'string' ? given : own
}`,
        map: null,
      }
    },
  }
}

function oneOf(paths: string[]): RegExp {
  return new RegExp(paths.join('|').replaceAll('/', String.raw`[\\/]`))
}

export default defineConfig({
  define: { 'import.meta.env.VITE_BUILD': JSON.stringify(build) },
  plugins: [compileTexts(), componentStyles(), reactIds(), react(), preloadPageFiles(), serviceWorker(), brotliCopies()],
  resolve: {
    alias: [
      { find: '@', replacement: fileURLToPath(new URL('./src', import.meta.url)) },
      { find: '@test', replacement: fileURLToPath(new URL('./test', import.meta.url)) },
      // Its entry wraps all of it in a function, which a phone would compile only once it is called, and at a stretch.
      { find: /^leaflet$/, replacement: 'leaflet/dist/leaflet-src.esm.js' },
    ],
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
            { name: 'parts', test: PARTS, includeDependenciesRecursively: false },
            { name: 'inputs', test: INPUTS, includeDependenciesRecursively: false },
            { name: 'cards', test: CARDS, includeDependenciesRecursively: false },
            { name: 'product', test: PRODUCT, includeDependenciesRecursively: false },
            { name: 'cart', test: CART, includeDependenciesRecursively: false },
            { name: 'tracking', test: TRACKING, includeDependenciesRecursively: false },
            // Read by the browser in a separate task.
            { name: 'leaflet', test: /node_modules[\\/]leaflet[\\/].*js$/ },
            { name: 'map', test: MAP, includeDependenciesRecursively: false },
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
