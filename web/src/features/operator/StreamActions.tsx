import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'

import type { StreamView } from '@/api/generated/types.gen'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'

import { ExportDialog } from './ExportDialog'
import { ImportDialog } from './ImportDialog'
import { isLogged, replayable } from './streams'

/** The actions on a stream. */
export function StreamActions({ stream }: { stream: StreamView }) {
  const t = useTexts()
  const { name } = stream
  const [openDialog, setDialog] = useState<'export' | 'import' | null>(null)
  const close = () => {
    setDialog(null)
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t('operator.actionsOf', { stream: name })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isLogged(name) && (
            <Menu.Item component={Link} to={paths.operator.events({ stream: name })}>
              {t('operator.showEvents')}
            </Menu.Item>
          )}
          {replayable(stream).length > 0 && (
            <Menu.Item component={Link} to={paths.operator.replays({ stream: name })}>
              {t('operator.replayDots')}
            </Menu.Item>
          )}
          <Menu.Item
            onClick={() => {
              setDialog('export')
            }}
          >
            {t('operator.exportDots')}
          </Menu.Item>
          <Menu.Item
            onClick={() => {
              setDialog('import')
            }}
          >
            {t('operator.importDots')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {openDialog === 'export' && <ExportDialog stream={name} onClose={close} />}
      {openDialog === 'import' && <ImportDialog stream={name} onClose={close} />}
    </>
  )
}
