import { Menu, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { type ReactElement, useEffect, useRef, useState } from 'react'

import { type Language, language, LANGUAGES, setLanguage, useTexts } from '@/lib/texts'

const schemes = [
  { value: 'light', label: 'app.schemeLight', Icon: IconSun },
  { value: 'dark', label: 'app.schemeDark', Icon: IconMoon },
  { value: 'auto', label: 'app.schemeAuto', Icon: IconDeviceDesktop },
] as const

const languages = ['en', 'si', 'ta'] as const satisfies readonly Language[]

/** Chooses language and colours; open at first, since the reader has just asked for it. */
export function SettingsMenu({ button }: { button: ReactElement }) {
  const t = useTexts()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [opened, setOpened] = useState(false)
  const wrapper = useRef<HTMLSpanElement>(null)

  // The button that was pressed has been replaced by this menu's; the focus stays in its place.
  useEffect(() => {
    wrapper.current?.querySelector('button')?.focus({ preventScroll: true })
    const frame = requestAnimationFrame(() => {
      setOpened(true)
    })
    return () => {
      cancelAnimationFrame(frame)
    }
  }, [])

  return (
    <span ref={wrapper}>
      <Menu
        position="bottom-end"
        opened={opened}
        onChange={setOpened}
        withinPortal={false}
        withInitialFocusPlaceholder={false}
      >
        <Menu.Target>{button}</Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('app.language')}</Menu.Label>
          <Menu.RadioGroup
            value={language()}
            onChange={(value) => {
              const chosen = languages.find((code) => code === value)
              if (chosen !== undefined) void setLanguage(chosen)
            }}
          >
            {languages.map((code) => (
              <Menu.RadioItem key={code} value={code} lang={code}>
                {LANGUAGES[code]}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Label>{t('app.appearance')}</Menu.Label>
          <Menu.RadioGroup
            value={colorScheme}
            onChange={(value) => {
              const chosen = schemes.find((scheme) => scheme.value === value)
              if (chosen !== undefined) setColorScheme(chosen.value)
            }}
          >
            {schemes.map(({ value, label, Icon }) => (
              <Menu.RadioItem key={value} value={value} rightSection={<Icon size={16} aria-hidden />}>
                {t(label)}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Dropdown>
      </Menu>
    </span>
  )
}
