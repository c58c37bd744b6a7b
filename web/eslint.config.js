import { readdirSync } from 'node:fs'

import reactHooks from 'eslint-plugin-react-hooks'
import globals from 'globals'
import tseslint from 'typescript-eslint'

// Layers, lowest first. A layer sees those below it, through '@/…'; what lies in the same
// folder is imported with './…'. Features never see each other: `app` puts them together.
const layers = ['lib', 'ui', 'api', 'features', 'app']

const layerRules = layers.flatMap((layer, at) => {
  const above = layers
    .slice(at + 1)
    .map((above) => ({ group: [`@/${above}/*`, `@/${above}`], message: `${layer} may not see ${above}.` }))
  const folders = layer === 'features' ? readdirSync(new URL('src/features', import.meta.url)) : ['']
  return folders.map((folder) => ({
    files: [`src/${layer}/${folder === '' ? '' : `${folder}/`}**/*.{ts,tsx}`],
    ignores: ['src/api/generated/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['../*'], message: "Import from another folder through '@/…'." },
            ...(folder === '' ? [] : [{ regex: `^@/features/(?!${folder}/)`, message: 'A feature may not see another.' }]),
            ...above,
          ],
        },
      ],
    },
  }))
})

export default tseslint.config(
  { ignores: ['dist', 'src/api/generated', 'node_modules', 'postcss.config.js', 'shots', 'public', 'worker/worker.js'] },
  ...tseslint.configs.strict,
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { globals: globals.browser },
    plugins: { 'react-hooks': reactHooks },
    rules: {
      ...reactHooks.configs.recommended.rules,
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      'max-lines': ['error', { max: 350, skipBlankLines: true }],
      'no-console': ['error', { allow: ['error', 'warn'] }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    // Texts lie in the catalogues of src/texts, in three languages.
    files: ['src/**/*.tsx'],
    ignores: ['src/**/*.test.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: 'JSXText[value=/\\p{L}/u]', message: 'A text belongs into src/texts.' },
        {
          selector: 'JSXElement > JSXExpressionContainer > Literal[value=/\\p{L}{2}/u]',
          message: 'A text belongs into src/texts.',
        },
        {
          selector:
            'JSXAttribute[name.name=/^(alt|aria-label|aria-description|aria-roledescription|label|placeholder|title|description|error|message|text|hint)$/] > Literal[value=/\\p{Ll}/u]',
          message: 'A text belongs into src/texts.',
        },
        {
          selector:
            'JSXAttribute[name.name=/^(alt|aria-label|label|placeholder|title|description|message|text|hint)$/] > JSXExpressionContainer > TemplateLiteral > TemplateElement[value.raw=/\\p{L}{2}/u]',
          message: 'A text belongs into src/texts.',
        },
      ],
    },
  },
  ...layerRules,
)
