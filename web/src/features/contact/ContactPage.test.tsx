import { list, platform, problem } from '@test/platform'
import { show, signIn } from '@test/render'
import { notifications } from '@mantine/notifications'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { afterEach, describe, expect, it } from 'vitest'

import type { Inquiry } from '@/api/generated/types.gen'

import { ContactPage } from './ContactPage'

const server = platform()

function inquiry(over: Partial<Inquiry> = {}): Inquiry {
  return {
    _id: 'q1',
    id: 'q1',
    message: 'Do you cater?',
    response: null,
    email: 'customer@tiffin.local',
    createdAt: '2026-11-21T10:00:00Z',
    updatedAt: '2026-11-21T10:00:00Z',
    answeredAt: null,
    ...over,
  }
}

const click = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const message = () => screen.getByLabelText('Message')

afterEach(() => {
  notifications.clean()
})

describe('the contact page', () => {
  it('asks for a message, then for the login, and keeps what was typed', async () => {
    show(<ContactPage />, '/contact')
    await click('Send')
    expect(await screen.findByText('Please enter your message.')).toBeInTheDocument()
    await userEvent.type(message(), 'Do you cater?')
    await click('Send')
    expect(await screen.findByText('Please login first.')).toBeInTheDocument()
    expect(message()).toHaveValue('Do you cater?')
  })

  it('sends, and shows what was asked with its answer as plain text', async () => {
    signIn()
    const script = '<img src=x onerror=alert(1)>'
    let rows = [inquiry({ message: script, response: 'Yes.' })]
    server.use(
      http.get('*/api/v1/inquiry', () => HttpResponse.json(rows)),
      http.post('*/api/v1/inquiry', () => {
        rows = [inquiry({ _id: 'q2', message: 'When?' }), ...rows]
        return HttpResponse.json({ message: 'ok', inquiry: rows[0] }, { status: 201 })
      }),
    )
    show(<ContactPage />, '/contact')
    expect(await screen.findByText(script)).toBeInTheDocument()
    expect(screen.getByText('Yes.')).toBeInTheDocument()
    await userEvent.type(message(), 'When?')
    await click('Send')
    expect(await screen.findByText('When?', { selector: 'p' })).toBeInTheDocument()
    expect(message()).toHaveValue('')
  })

  it('rewords, and puts back what could not be kept', async () => {
    signIn()
    server.use(list('inquiry', [inquiry()]), http.put('*/api/v1/inquiry/q1', () => problem(503, 'Not ready.')))
    show(<ContactPage />, '/contact')
    await click(/^Edit/)
    const field = screen.getAllByLabelText('Message').at(-1)
    if (field === undefined) throw new Error('no field')
    await userEvent.clear(field)
    await click('Save')
    expect(await screen.findByText('Message cannot be empty.')).toBeInTheDocument()
    await userEvent.type(field, 'Do you deliver?')
    await click('Save')
    expect(await screen.findByText('Failed to update inquiry.')).toBeInTheDocument()
    expect(field).toHaveValue('Do you deliver?')
    await click('Cancel')
    expect(await screen.findByText('Do you cater?')).toBeInTheDocument()
  })

  it('deletes once confirmed, and puts back what could not be deleted', async () => {
    signIn()
    let refused = true
    let rows = [inquiry()]
    server.use(
      http.get('*/api/v1/inquiry', () => HttpResponse.json(rows)),
      http.delete('*/api/v1/inquiry/q1', () => {
        if (refused) return problem(500, 'Broken.')
        rows = []
        return HttpResponse.json({ message: 'Inquiry has been deleted.' })
      }),
    )
    show(<ContactPage />, '/contact')
    await click(/^Delete/)
    expect(await screen.findByText('This inquiry will be permanently deleted.')).toBeInTheDocument()
    await click('Yes, delete it!')
    expect(await screen.findByText('Failed to delete inquiry.')).toBeInTheDocument()
    expect(await screen.findByText('Do you cater?')).toBeInTheDocument()
    refused = false
    await waitFor(() => {
      expect(screen.queryByText('Are you sure?')).toBeNull()
    })
    await click(/^Delete/)
    await click('Yes, delete it!')
    expect(await screen.findByText('No inquiries yet.')).toBeInTheDocument()
  })
})
