import { expect, it } from 'vitest'

import { idAfter } from './operator'

it('counts ids up', () => {
  expect(idAfter('01a20063-1d04-7999-b9e1-5c66ad9d3d72')).toBe('01a20063-1d04-7999-b9e1-5c66ad9d3d73')
  expect(idAfter('01a20063-1d04-7999-b9e1-ffffffffffff')).toBe('01a20063-1d04-7999-b9e2-000000000000')
})
