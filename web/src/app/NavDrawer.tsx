import { Drawer, Stack } from '@mantine/core'

import { useTexts } from '@/lib/texts'

import { NavLinks } from './NavLinks'

/** The site's pages, where the header is too narrow for them. */
export function NavDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useTexts()
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      size="75%"
      title={t('app.menu')}
      closeButtonProps={{ 'aria-label': t('app.closeMenu') }}
      hiddenFrom="sm"
    >
      <Stack component="nav" gap={4} aria-label={t('app.mainNavigation')}>
        <NavLinks onFollow={onClose} />
      </Stack>
    </Drawer>
  )
}
