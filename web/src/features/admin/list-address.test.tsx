import { act, renderHook } from '@testing-library/react'
import { BrowserRouter } from 'react-router'
import { expect, it } from 'vitest'

import { useListAddress } from './list-address'

it('keeps both of two filters that are chosen before the next render', () => {
  window.history.replaceState(null, '', '/admin/user?role=driver')
  const { result } = renderHook(() => useListAddress(), { wrapper: BrowserRouter })
  act(() => {
    result.current.set('status', 'blocked')
    result.current.setSort({ by: 'email', descending: true })
  })
  expect(window.location.search).toBe('?role=driver&status=blocked&sort=-email')
  expect(result.current.get('status')).toBe('blocked')
  expect(result.current.sort).toEqual({ by: 'email', descending: true })
  act(() => {
    result.current.set('role', '')
    result.current.set('q', 'nimal')
  })
  expect(window.location.search).toBe('?status=blocked&sort=-email&q=nimal')
})
