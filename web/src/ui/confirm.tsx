import { Button, Group, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { text } from '@/lib/texts'

import { dialogsReady } from './overlay-state'

/** The time that the question of a toast waits for its answer, in milliseconds. */
const QUESTION_TIMEOUT = 10_000
/** The time until a success dialog closes, in milliseconds. */
export const SUCCESS_DURATION = 1500

const kinds = {
  warning: { Icon: IconAlertTriangle, color: 'var(--mantine-color-amber-6)' },
  success: { Icon: IconCircleCheck, color: 'var(--mantine-color-leaf-6)' },
  error: { Icon: IconCircleX, color: 'var(--mantine-color-red-6)' },
}

function heading(kind: keyof typeof kinds, title: string): ReactNode {
  const { Icon, color } = kinds[kind]
  return (
    <Group gap="sm" wrap="nowrap" component="span">
      <Icon size={28} color={color} aria-hidden="true" />
      <Text span fw={700} size="lg">
        {title}
      </Text>
    </Group>
  )
}

const modalProps = {
  centered: true,
  radius: 'lg',
  size: 'sm',
  withCloseButton: false,
  // The dialog's heading must not count as a second heading of the page.
  attributes: { header: { role: 'presentation' } },
} as const

interface Question {
  /** The consequence of deleting; that it can't be reverted when left out. */
  warning?: string
  /** Another consequence. */
  consequence?: string | undefined
  /** The button that cancels. */
  cancel?: string
  /** The button that confirms. */
  confirm?: string
}

interface Action {
  title: string
  text: string
  /** The button that goes on. */
  confirm: string
}

/** Asks before something that others notice. */
export async function confirmAction({ title, text: consequence, confirm }: Action): Promise<boolean> {
  return await ask(title, <Text>{consequence}</Text>, { confirm, cancel: text('app.cancel') })
}

/** Asks whether something is to be deleted for good. */
export async function confirmDelete({ warning, consequence, cancel, confirm }: Question = {}): Promise<boolean> {
  const children = (
    <Stack gap="xs">
      <Text>{warning ?? text('app.noRevert')}</Text>
      {consequence !== undefined && <Text size="sm">{consequence}</Text>}
    </Stack>
  )
  return await ask(text('app.areYouSure'), children, { confirm: confirm ?? text('app.yesDelete'), cancel: cancel ?? text('app.cancel') })
}

async function ask(title: string, children: ReactNode, labels: { confirm: string; cancel: string }): Promise<boolean> {
  await dialogsReady()
  return await new Promise((resolve) => {
    modals.openConfirmModal({
      ...modalProps,
      title: heading('warning', title),
      children,
      labels,
      confirmProps: { color: 'red.9' },
      cancelProps: { 'data-autofocus': true },
      onConfirm: () => {
        resolve(true)
      },
      // Called after a confirmation too, which has answered by then.
      onClose: () => {
        resolve(false)
      },
    })
  })
}

interface DialogTexts {
  title: string
  message: string
  /** The reason, in the service's own words. */
  reason?: string | undefined
  /** The way on, beside the button that closes the dialog. */
  action?: DialogAction | undefined
}

interface DialogAction {
  label: string
  act: () => void
}

/** Opens a dialog with a result; it closes after `closeAfter` milliseconds. */
async function openDialog(kind: keyof typeof kinds, { title, message, reason, action }: DialogTexts, closeAfter?: number): Promise<void> {
  await dialogsReady()
  const id = modals.open({
    ...modalProps,
    title: heading(kind, title),
    children: (
      <Stack gap="md">
        <Text role={kind === 'success' ? 'status' : 'alert'}>{message}</Text>
        {reason !== undefined && (
          <Text c="dimmed" size="sm">
            {reason}
          </Text>
        )}
        <Group justify="flex-end">
          <Button
            data-autofocus
            variant={action === undefined ? 'filled' : 'default'}
            onClick={() => {
              modals.close(id)
            }}
          >
            {text('app.ok')}
          </Button>
          {action !== undefined && (
            <Button
              color="red.9"
              onClick={() => {
                modals.close(id)
                action.act()
              }}
            >
              {action.label}
            </Button>
          )}
        </Group>
      </Stack>
    ),
  })
  if (closeAfter !== undefined) {
    setTimeout(() => {
      modals.close(id)
    }, closeAfter)
  }
}

export const dialog = {
  success: (title: string, message: string, closeAfter?: number) => {
    void openDialog('success', { title, message }, closeAfter)
  },
  error: (title: string, message: string, reason?: string, action?: DialogAction) => {
    void openDialog('error', { title, message, reason, action })
  },
  warning: (title: string, message: string) => {
    void openDialog('warning', { title, message })
  },
}

/** Asks by a toast for ten seconds, naming the subject; no answer is a no. */
export function confirmByToast(question: string, subject?: string): Promise<boolean> {
  const before = document.activeElement
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      resolve(yes)
      notifications.hide(id)
    }
    const id = notifications.show({
      role: 'alertdialog',
      'aria-label': subject === undefined ? question : `${question} ${subject}`,
      color: 'amber',
      autoClose: QUESTION_TIMEOUT,
      withCloseButton: false,
      message: (
        <Stack gap="xs">
          <Text size="sm" fw={600}>
            {question}
          </Text>
          {subject !== undefined && <Text size="sm">{subject}</Text>}
          <Group gap="xs">
            <Button size="xs" color="red" onClick={() => { answer(true) }}>
              {text('app.yes')}
            </Button>
            <Button size="xs" variant="default" autoFocus onClick={() => { answer(false) }}>
              {text('app.no')}
            </Button>
          </Group>
        </Stack>
      ),
      onClose: () => {
        resolve(false)
        if (before instanceof HTMLElement) before.focus({ preventScroll: true })
      },
    })
  })
}
