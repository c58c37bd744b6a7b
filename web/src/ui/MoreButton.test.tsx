import { show } from '@test/render'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'

import { MoreButton } from './MoreButton'

const ROWS = ['one', 'two', 'three', 'four', 'five']

function List({ areLinks = true }: { areLinks?: boolean }) {
  const [shown, setShown] = useState(2)
  return (
    <main>
      {ROWS.slice(0, shown).map((row) =>
        areLinks ? (
          <a key={row} href={`#${row}`}>
            {row}
          </a>
        ) : (
          <article key={row} aria-label={row} tabIndex={-1} />
        ),
      )}
      {shown < ROWS.length && <MoreButton label="Show more" onMore={() => { setShown(shown + 2) }} />}
    </main>
  )
}

it('hands the focus of the keyboard to the first new row, also when it goes itself', async () => {
  show(<List />)
  screen.getByRole('button', { name: 'Show more' }).focus()
  await userEvent.keyboard('{Enter}')
  expect(screen.getByRole('link', { name: 'three' })).toHaveFocus()
  screen.getByRole('button', { name: 'Show more' }).focus()
  await userEvent.keyboard('{Enter}')
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  expect(screen.getByRole('link', { name: 'five' })).toHaveFocus()
})

it('hands it to an entry without a control', async () => {
  show(<List areLinks={false} />)
  screen.getByRole('button', { name: 'Show more' }).focus()
  await userEvent.keyboard('{Enter}')
  expect(screen.getByRole('article', { name: 'three' })).toHaveFocus()
})

it('leaves the focus of a pointer', async () => {
  show(<List />)
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
  expect(screen.getByRole('link', { name: 'four' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Show more' })).toHaveFocus()
})
