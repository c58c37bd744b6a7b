import { act, renderHook } from '@testing-library/react'
import { BrowserRouter } from 'react-router'
import { expect, it } from 'vitest'

import { useSearch } from './use-search'

it('keeps the word that was typed when a category is chosen right after it', () => {
  window.history.replaceState(null, '', '/item')
  const { result } = renderHook(() => useSearch(), { wrapper: BrowserRouter })
  act(() => {
    result.current.set('q', 'kottu')
    result.current.set('category', 'fastfood')
  })
  expect(result.current).toMatchObject({ q: 'kottu', category: 'fastfood' })
})
