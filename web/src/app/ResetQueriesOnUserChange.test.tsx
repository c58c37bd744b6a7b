import { signIn } from '@test/render'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'

import { session } from '@/lib/session'

import { ResetQueriesOnUserChange } from './ResetQueriesOnUserChange'

const queries = new QueryClient()

function cachedOrders() {
  return queries.getQueryData(['orders'])
}

describe('what a user was shown', () => {
  beforeEach(() => {
    signIn({ id: 'u1' })
    queries.setQueryData(['orders'], ['of u1'])
    render(
      <QueryClientProvider client={queries}>
        <ResetQueriesOnUserChange />
      </QueryClientProvider>,
    )
  })

  it('is kept while they stay', () => {
    act(() => {
      signIn({ id: 'u1', firstName: 'Nimal' })
    })
    expect(cachedOrders()).toEqual(['of u1'])
  })

  it('is forgotten when their session ends', () => {
    act(() => {
      session.end()
    })
    expect(cachedOrders()).toBeUndefined()
  })

  it('is forgotten when another user signs in in another tab', () => {
    act(() => {
      localStorage.setItem('user', JSON.stringify({ ...session.user(), id: 'u2' }))
      window.dispatchEvent(new StorageEvent('storage', { key: 'user' }))
    })
    expect(cachedOrders()).toBeUndefined()
  })
})
