import { platform, problem } from '@test/platform'
import { show, signIn } from '@test/render'
import { notifications } from '@mantine/notifications'
import { createEvent, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { PicturesField } from './PicturesField'

const server = platform()

beforeEach(() => {
  signIn({ role: 'restaurant' })
})
afterEach(() => {
  notifications.clean()
})

function Form({ first }: { first: string[] }) {
  const [urls, setUrls] = useState(first)
  return <PicturesField label="Images" kind="dish" urls={urls} onChange={setUrls} />
}

const file = (name: string, type = 'image/png') => new File(['x'], name, { type })
const shown = () => screen.queryAllByRole('img').map((picture) => picture.getAttribute('src'))

function drop(...files: File[]) {
  const field = screen.getByText('Images')
  const over = createEvent.dragOver(field, { dataTransfer: { types: ['Files'], files } })
  fireEvent(field, over)
  fireEvent.drop(field, { dataTransfer: { types: ['Files'], files } })
  return over.defaultPrevented
}

describe('the pictures of a dish', () => {
  it('are uploaded where they are dropped', async () => {
    server.use(http.post('*/storage/v1/object/images/:name', ({ params }) => HttpResponse.json({ Key: `images/${String(params.name)}` })))
    show(<Form first={[]} />)
    expect(drop(file('first.png'), file('second.png'))).toBe(true)
    await screen.findByAltText('Picture 2')
    expect(shown()).toEqual([expect.stringMatching(/first\.png/), expect.stringMatching(/second\.png/)])
  })

  it('are refused by name and reason, the others are kept', async () => {
    server.use(
      http.post('*/storage/v1/object/images/:name', ({ params }) => {
        const name = String(params.name)
        if (name.endsWith('menu.pdf')) return problem(415, 'The file is not a picture.')
        return name.endsWith('large.png') ? problem(413, 'The file is too large.') : HttpResponse.json({ Key: `images/${name}` })
      }),
    )
    show(<Form first={[]} />)
    expect(screen.getByText('JPEG, PNG, WebP or GIF, up to 5 MiB each, at most 10. The first one is the main picture.')).toBeVisible()
    drop(file('menu.pdf', 'application/pdf'), file('large.png'), file('good.png'))
    const reason = await screen.findByText(/menu\.pdf/)
    expect(reason).toHaveTextContent('menu.pdf. The file is not a picture.')
    expect(reason).toHaveTextContent('large.png. The file is too large.')
    expect(await screen.findByText('Image upload failed')).toBeInTheDocument()
    expect(shown()).toEqual([expect.stringMatching(/good\.png/)])
  })

  it('are moved by pointer', async () => {
    show(<Form first={['/a.png', '/b.png', '/c.png']} />)
    await userEvent.click(screen.getByRole('button', { name: 'Move picture 3 forward' }))
    expect(shown()).toEqual(['/a.png', '/c.png', '/b.png'])
    await userEvent.click(screen.getByRole('button', { name: 'Move picture 1 back' }))
    expect(shown()).toEqual(['/c.png', '/a.png', '/b.png'])
  })

  it('are moved by keyboard, and keep the focus', async () => {
    show(<Form first={['/a.png', '/b.png', '/c.png']} />)
    screen.getByRole('button', { name: 'Move picture 3 forward' }).focus()
    await userEvent.keyboard('{Enter}')
    expect(screen.getByRole('button', { name: 'Move picture 2 forward' })).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    expect(shown()).toEqual(['/c.png', '/a.png', '/b.png'])
    // The first one can only go back.
    expect(screen.getByRole('button', { name: 'Move picture 1 forward' })).toBeDisabled()
    expect(screen.getByRole('button', { name: 'Move picture 1 back' })).toHaveFocus()
  })

  it('are not moved where one is alone', () => {
    show(<Form first={['/a.png']} />)
    expect(screen.queryByRole('button', { name: /Move/ })).toBeNull()
  })
})
