import { beforeEach, describe, expect, it, vi } from 'vitest'
import * as v from 'valibot'

const FULL = {
  _id: 'u1',
  id: 'u1',
  email: 'customer@tiffin.local',
  role: 'customer',
  firstName: 'Nimali',
  lastName: 'Jayasuriya',
  address: '12 Galle Face',
  phone: '0771234567',
  image: '/me.png',
  lat: 6.9,
  lng: 79.8,
  emailVerified: true,
}

const keys = () => Object.keys(v.parse(v.looseObject({}), JSON.parse(localStorage.getItem('user') ?? '{}'))).sort()
const KEPT = ['_id', 'email', 'emailVerified', 'firstName', 'id', 'image', 'lastName', 'role']

/** As after a reload. */
async function started() {
  vi.resetModules()
  return (await import('./session')).session
}

beforeEach(() => {
  localStorage.clear()
})

describe('what the browser keeps of who is signed in', () => {
  it('is neither phone nor address nor place', async () => {
    const session = await started()
    session.start('t', FULL)
    expect(keys()).toEqual(KEPT)
    session.setUser({ ...FULL, firstName: 'Sanda' })
    expect(keys()).toEqual(KEPT)
    expect(session.user()?.firstName).toBe('Sanda')
    expect(localStorage.getItem('token')).toBe('t')
  })

  it('loses what an earlier version kept, at the start', async () => {
    localStorage.setItem('token', 't')
    localStorage.setItem('user', JSON.stringify(FULL))
    const session = await started()
    expect(keys()).toEqual(KEPT)
    expect(session.user()).toMatchObject({ id: 'u1', image: '/me.png' })
    expect(session.token()).toBe('t')
  })

  it('is nothing where nothing or nonsense was kept', async () => {
    expect((await started()).user()).toBeNull()
    localStorage.setItem('user', '{"id": 4}')
    expect((await started()).user()).toBeNull()
    expect(localStorage.getItem('user')).toBeNull()
  })
})
