import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import type { Page } from 'playwright-core'
import * as v from 'valibot'

import { call } from './platform'

/** An account that can sign in. */
export interface Credentials {
  email: string
  password: string
}

/** An account that is signed in, for calls of a test. */
export interface Account extends Credentials {
  id: string
  token: string
}

const PASSWORD = 'Tiffin@2026'
/** The longest time that a mail may take, in milliseconds. */
const MAIL_TIMEOUT = 15_000

/** The accounts of the demo. */
export const demo = {
  admin: { email: 'admin@tiffin.local', password: PASSWORD },
  owner: { email: 'owner@tiffin.local', password: PASSWORD },
  driver: { email: 'driver@tiffin.local', password: PASSWORD },
  customer: { email: 'customer@tiffin.local', password: PASSWORD },
}

const loginAnswer = v.object({ token: v.string(), user: v.looseObject({ _id: v.string() }) })

/** Signs in with the platform alone. */
export async function login(credentials: Credentials): Promise<Account> {
  const { token, user } = v.parse(loginAnswer, await call('POST', '/api/v1/users/login', { body: { ...credentials } }))
  return { ...credentials, id: user._id, token }
}

/** Signs a page's browser in without the login page; the page must be on the platform's origin. */
export async function signIn(page: Page, { email, password }: Credentials): Promise<void> {
  const answer = await page.context().request.post('/api/v1/users/login', { data: { email, password } })
  const { token, user } = v.parse(loginAnswer, await answer.json())
  await page.evaluate(
    ([kept, json]) => {
      localStorage.setItem('token', kept)
      localStorage.setItem('user', json)
    },
    [token, JSON.stringify(user)] as const,
  )
}

let made = 0

/** A new e-mail address. */
export function newEmail(): string {
  made += 1
  return `guest-${Date.now().toString(36)}-${String(process.pid)}-${String(made)}@tiffin.local`
}

/** A new account, its address proven unless `verified` is false. */
export async function newAccount(
  role: 'customer' | 'restaurant' | 'delivery' = 'customer',
  { verified = true, ...more }: { verified?: boolean } & Record<string, unknown> = {},
): Promise<Account> {
  const form = {
    email: newEmail(),
    password: PASSWORD,
    firstName: 'Nimali',
    lastName: 'Perera',
    address: '12 Galle Face, Colombo',
    phone: '0771234567',
    image: '/art/person.svg',
    ...more,
  }
  if (role === 'delivery') {
    await call('POST', '/api/v1/driver', { body: { ...form, vehicleType: 'Bike', drNic: '199012345678' } })
  } else await call('POST', '/api/v1/users', { body: { ...form, role } })
  const credentials = { email: form.email, password: PASSWORD }
  const signedIn = await login(credentials)
  if (!verified) return signedIn
  await call('GET', '/api/v1/users/sendOTP', { token: signedIn.token })
  await call('POST', '/api/v1/users/verifyOTP', { token: signedIn.token, body: { otp: await codeMailedTo(signedIn.email) } })
  return await login(credentials)
}

/** The newest one-time code that an address was mailed. */
export async function codeMailedTo(email: string): Promise<string> {
  const until = Date.now() + MAIL_TIMEOUT
  while (Date.now() < until) {
    const code = mailsTo(email).map((mail) => /^Subject: (\d{6}) /m.exec(mail)?.[1]).at(-1)
    if (code !== undefined) return code
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no code was mailed to ${email}`)
}

/** The path of the newest link to a new password that an address was mailed, other than `before`. */
export async function linkMailedTo(email: string, before?: string): Promise<string> {
  const until = Date.now() + MAIL_TIMEOUT
  while (Date.now() < until) {
    // Long lines are folded (quoted-printable, RFC 2045, section 6.7).
    const mails = mailsTo(email).map((mail) => mail.replace(/=\r?\n/g, '').replaceAll('=3D', '='))
    const link = mails.map((mail) => /\/reset-password#token=[\w-]+/.exec(mail)?.[0]).filter((one) => one !== undefined).at(-1)
    if (link !== undefined && link !== before) return link
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no link was mailed to ${email}`)
}

/** The mails to an address, oldest first. */
export function mailsTo(email: string): string[] {
  const home = process.env.TIFFIN_HOME
  if (home === undefined) throw new Error('TIFFIN_HOME, the folder of the platform, holds its mails')
  const folder = path.join(home, 'mail')
  // Made with the first mail.
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .filter((mail) => mail.includes(email))
}
