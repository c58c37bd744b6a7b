import { defineConfig } from '@hey-api/openapi-ts'

export default defineConfig({
  input: './openapi.json',
  output: {
    path: './src/api/generated',
    clean: true,
    entryFile: false,
  },
  plugins: [
    '@hey-api/typescript',
    // `send` adds the token.
    { name: '@hey-api/sdk', auth: false, responseStyle: 'data' },
    { name: '@hey-api/client-fetch', throwOnError: true, runtimeConfigPath: '../runtime' },
  ],
})
