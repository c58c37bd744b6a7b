import { Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { type ReactElement, useEffect, useRef, useState } from 'react'

import { type Language, language, LANGUAGES, setLanguage, useTexts } from '@/lib/texts'

const schemes = [
  { value: 'light', label: 'app.schemeLight', Icon: IconSun },
  { value: 'dark', label: 'app.schemeDark', Icon: IconMoon },
  { value: 'auto', label: 'app.schemeAuto', Icon: IconDeviceDesktop },
] as const

const languages = ['en', 'si', 'ta'] as const satisfies readonly Language[]

/** Chooses language and colours; open at first, since somebody has just asked for it. */
export function SettingsMenu({ button }: { button: ReactElement }) {
  const t = useTexts()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [opened, setOpened] = useState(false)
  const place = useRef<HTMLSpanElement>(null)

  // The button that was pressed has been replaced by this menu's; the focus goes on where it was.
  useEffect(() => {
    place.current?.querySelector('button')?.focus({ preventScroll: true })
    const frame = requestAnimationFrame(() => {
      setOpened(true)
    })
    return () => {
      cancelAnimationFrame(frame)
    }
  }, [])

  const tick = (chosen: boolean) => (chosen ? <IconCheck size={14} aria-hidden /> : null)
  return (
    <span ref={place}>
      <Menu position="bottom-end" opened={opened} onChange={setOpened} withinPortal={false}>
        <Menu.Target>{button}</Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('app.language')}</Menu.Label>
          {languages.map((code) => (
            <Menu.Item
              key={code}
              lang={code}
              role="menuitemradio"
              aria-checked={code === language()}
              rightSection={tick(code === language())}
              onClick={() => void setLanguage(code)}
            >
              {LANGUAGES[code]}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Label>{t('app.appearance')}</Menu.Label>
          {schemes.map(({ value, label, Icon }) => (
            <Menu.Item
              key={value}
              role="menuitemradio"
              aria-checked={value === colorScheme}
              leftSection={<Icon size={16} aria-hidden />}
              rightSection={tick(value === colorScheme)}
              onClick={() => {
                setColorScheme(value)
              }}
            >
              {t(label)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </span>
  )
}
