import { ActionIcon } from '@mantine/core'
import { IconSettings } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

import { useTexts } from '@/lib/texts'

const load = async () => ({ default: (await import('./SettingsMenu')).SettingsMenu })
const SettingsMenu = lazy(load)

/** Opens the menu of language and colours, which is fetched on demand. */
export function Settings() {
  const t = useTexts()
  const [wanted, setWanted] = useState(false)
  const fetch = () => void load()
  const button = (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={t('app.settings')}
      aria-haspopup="menu"
      onPointerEnter={fetch}
      onFocus={fetch}
      onClick={() => {
        setWanted(true)
      }}
    >
      <IconSettings size={20} stroke={1.7} />
    </ActionIcon>
  )
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <SettingsMenu button={button} />
    </Suspense>
  )
}
