import { show } from '@test/render'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { SUCCESS_DURATION, confirmByToast, confirmDelete, dialog } from './confirm'

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  show(<p>page</p>)
})
afterEach(() => {
  vi.useRealTimers()
})

const click = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name }))
}

describe('the question before a deletion', () => {
  it('says what it means, and is answered by its button', async () => {
    const answer = confirmDelete()
    expect(await screen.findByText('Are you sure?')).toBeInTheDocument()
    expect(screen.getByText("You won't be able to revert this!")).toBeInTheDocument()
    await click('Yes, delete it!')
    await expect(answer).resolves.toBe(true)
  })

  it('is a no when it is cancelled or left', async () => {
    const cancelled = confirmDelete({ warning: 'It is gone.', cancel: 'No, cancel' })
    expect(await screen.findByText('It is gone.')).toBeInTheDocument()
    await click('No, cancel')
    await expect(cancelled).resolves.toBe(false)

    const left = confirmDelete()
    await screen.findByRole('button', { name: 'Cancel' })
    await userEvent.keyboard('{Escape}')
    await expect(left).resolves.toBe(false)
  })
})

describe('a result dialog', () => {
  it('stays until it is closed, or closes after a time', async () => {
    dialog.success('Deleted!', 'Order has been deleted.')
    expect(await screen.findByText('Order has been deleted.')).toBeInTheDocument()
    await vi.advanceTimersByTimeAsync(20_000)
    await click('OK')
    await waitFor(() => expect(screen.queryByText('Order has been deleted.')).toBeNull())

    dialog.success('Deleted!', 'Restaurant deleted', SUCCESS_DURATION)
    expect(await screen.findByText('Restaurant deleted')).toBeInTheDocument()
    await vi.advanceTimersByTimeAsync(SUCCESS_DURATION + 500)
    await waitFor(() => expect(screen.queryByText('Restaurant deleted')).toBeNull())
  })
})

describe('the question of a toast', () => {
  it.each([
    ['Yes', true],
    ['No', false],
  ])('is answered by %s', async (button, meaning) => {
    const answer = confirmByToast('Are you sure you want to delete?', 'Chicken Kottu')
    expect(await screen.findByRole('alertdialog', { name: 'Are you sure you want to delete? Chicken Kottu' })).toBeInTheDocument()
    await click(button)
    await expect(answer).resolves.toBe(meaning)
  })

  it('waits ten seconds, and is then a no', async () => {
    const answered = vi.fn()
    void confirmByToast('Are you sure you want to delete?', 'Chicken Kottu').then(answered)
    await screen.findByText('Are you sure you want to delete?')
    await vi.advanceTimersByTimeAsync(9_000)
    expect(answered).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1_500)
    expect(answered).toHaveBeenCalledWith(false)
  })
})
