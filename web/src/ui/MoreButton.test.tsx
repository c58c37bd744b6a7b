import { show } from '@test/render'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, it } from 'vitest'

import { MoreButton } from './MoreButton'

const ROWS = ['one', 'two', 'three', 'four', 'five']

function List() {
  const [shown, setShown] = useState(2)
  return (
    <main>
      {ROWS.slice(0, shown).map((row) => (
        <a key={row} href={`#${row}`}>
          {row}
        </a>
      ))}
      {shown < ROWS.length && <MoreButton label="Show more" onMore={() => { setShown(shown + 2) }} />}
    </main>
  )
}

beforeEach(() => {
  show(<List />)
})

it('hands the focus of the keyboard to the first new row, also when it goes itself', async () => {
  screen.getByRole('button', { name: 'Show more' }).focus()
  await userEvent.keyboard('{Enter}')
  expect(screen.getByRole('link', { name: 'three' })).toHaveFocus()
  screen.getByRole('button', { name: 'Show more' }).focus()
  await userEvent.keyboard('{Enter}')
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  expect(screen.getByRole('link', { name: 'five' })).toHaveFocus()
})

it('leaves the focus of a pointer', async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
  expect(screen.getByRole('link', { name: 'four' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Show more' })).toHaveFocus()
})
