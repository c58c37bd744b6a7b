import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const ember: MantineColorsTuple = [
  '#fff3ea',
  '#ffe3d0',
  '#ffc5a1',
  '#ffa571',
  '#fb8747',
  '#ec6a28',
  '#d55319',
  '#bb4311',
  '#98360f',
  '#762c10',
]

const leaf: MantineColorsTuple = [
  '#eef8ef',
  '#dcefde',
  '#b6dfbb',
  '#8dcd96',
  '#66b973',
  '#479f57',
  '#318645',
  '#256f38',
  '#1f592e',
  '#194525',
]

const amber: MantineColorsTuple = [
  '#fff8e6',
  '#fdeec6',
  '#fadf94',
  '#f6cd5d',
  '#f0bb33',
  '#d99f16',
  '#b8820c',
  '#94670a',
  '#754f0a',
  '#5d3f0b',
]

// Warm charcoal instead of blue-black.
const dark: MantineColorsTuple = [
  '#f0e9e2',
  '#cfc6bd',
  '#aaa097',
  '#877d75',
  '#574f49',
  '#423b36',
  '#302a26',
  '#231f1c',
  '#1a1714',
  '#12100e',
]

const gray: MantineColorsTuple = [
  '#faf7f3',
  '#f4efe9',
  '#e9e2da',
  '#dbd2c8',
  '#c4b9ad',
  '#a3978b',
  '#756a60',
  '#5b5149',
  '#3d3630',
  '#27221e',
]

const TEXT = "'Figtree Variable', 'Figtree by Arial', 'Figtree by Roboto', system-ui, sans-serif"

export const theme = createTheme({
  colors: { ember, leaf, amber, dark, gray },
  primaryColor: 'ember',
  primaryShade: { light: 7, dark: 7 },
  black: '#27221e',
  fontFamily: TEXT,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, monospace',
  headings: {
    fontFamily: `'Bricolage Grotesque', 'Bricolage by Arial', 'Bricolage by Roboto', ${TEXT}`,
    fontWeight: '700',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: 'clamp(1.75rem, 1.3rem + 1.8vw, 2.5rem)', lineHeight: '1.15' },
      h2: { fontSize: 'clamp(1.35rem, 1.2rem + 0.7vw, 1.7rem)', lineHeight: '1.25' },
      h3: { fontSize: '1.15rem', lineHeight: '1.35' },
    },
  },
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '8px', md: '12px', lg: '18px', xl: '28px' },
  shadows: {
    xs: '0 1px 2px rgb(60 35 15 / 6%)',
    sm: '0 1px 3px rgb(60 35 15 / 8%), 0 4px 12px rgb(60 35 15 / 5%)',
    md: '0 2px 6px rgb(60 35 15 / 8%), 0 12px 28px rgb(60 35 15 / 9%)',
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { radius: 'xl' } },
    Card: { defaultProps: { radius: 'lg', padding: 'md' } },
    Badge: { defaultProps: { radius: 'xl', tt: 'none' }, styles: { root: { fontSize: 'var(--badge-type, 12px)' }, label: { fontWeight: 600 } } },
    Modal: { styles: { content: { background: 'var(--panel)' }, header: { background: 'var(--panel)' }, title: { fontWeight: 650 } } },
    ActionIcon: { defaultProps: { radius: 'xl' } },
  },
})

// Soft fills glow a little on charcoal instead of sinking into it.
function softOnDark(name: string): Record<string, string> {
  const base = `var(--mantine-color-${name}-5)`
  return {
    [`--mantine-color-${name}-light`]: `color-mix(in srgb, ${base} 18%, transparent)`,
    [`--mantine-color-${name}-light-hover`]: `color-mix(in srgb, ${base} 22%, transparent)`,
    [`--mantine-color-${name}-light-color`]: `var(--mantine-color-${name}-3)`,
  }
}

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#fdfaf6',
    '--mantine-color-dimmed': '#6d6258',
    '--mantine-color-placeholder': '#756a60',
    '--mantine-color-error': '#b3261e',
  },
  dark: {
    '--mantine-color-body': '#171412',
    '--mantine-color-dimmed': '#b3a89e',
    '--mantine-color-placeholder': '#aaa097',
    '--mantine-color-anchor': '#fb8747',
    '--mantine-color-error': '#ff8f87',
    ...softOnDark('ember'),
    ...softOnDark('leaf'),
    ...softOnDark('amber'),
    ...softOnDark('blue'),
    ...softOnDark('grape'),
    ...softOnDark('red'),
  },
})
