import { readFile } from 'node:fs/promises'

import { expect } from 'vitest'
import * as v from 'valibot'

import { expectAccessible } from '../axe'
import { URL_OF_PLATFORM } from '../browser'
import { expectLabelsFit, expectNoHorizontalScroll } from '../layout'
import { type Account, mailsTo, newAccount } from '../accounts'
import { picture } from '../picture'
import { call, eventually } from '../platform'
import { newOrders, newRestaurantWithItem } from '../restaurants'
import { refuseCall, test } from '../test'
import { unzip } from '../unzip'
import { viewports } from './viewports'

const rows = v.record(v.string(), v.array(v.looseObject({})))

async function uploadPicture(account: Account) {
  const answer = await fetch(`${URL_OF_PLATFORM}/storage/v1/object/images/${account.id}.png`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.token}`, 'content-type': picture.mimeType },
    body: new Uint8Array(picture.buffer),
  })
  expect(answer.status).toBe(200)
}

test.for(viewports)('all that is held about a customer is asked for and downloaded, at $width px', async ({ width, colorScheme }, { visit }) => {
  const customer = await newAccount('customer', { address: '7 Ward Place, Colombo' })
  const other = await newAccount('customer', { firstName: 'Upali', address: '99 Hill Street, Kandy' })
  const { item } = await newRestaurantWithItem()
  const [order] = await newOrders(customer, [item._id])
  await newOrders(other, [item._id])
  if (order === undefined) throw new Error('nothing was ordered')
  const body = { bookingId: order.orderId, amount: order.totalAmount, paymentType: 'PayPal' }
  // The payment service consumes events of new orders.
  await eventually(async () => await call('POST', '/api/v1/payment', { token: customer.token, body }).catch(() => undefined))
  await uploadPicture(customer)

  const page = await visit('/profile', { as: customer, width, colorScheme, acceptDownloads: true })
  const section = page.getByRole('region', { name: 'Your data' })
  await section.getByText('You have no copy to download.').waitFor()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await expectLabelsFit(page)
  await refuseCall(page, 'POST', '/api/v1/users/copy', { status: 503 })
  const ask = section.getByRole('button', { name: 'Request a copy' })
  // By the keyboard alone.
  await ask.focus()
  await page.keyboard.press('Enter')
  await section.getByRole('alert').waitFor()
  await ask.press('Enter')
  await section.getByText(/Your copy is (being made|ready)/).waitFor()
  await eventually(async () => {
    const mails = mailsTo(customer.email)
    return await Promise.resolve(mails.find((mail) => mail.includes('Subject: Your copy is ready')))
  })
  await section.getByText(/Your copy is ready \([\d.,]+ kB\)\. You can download it until/).waitFor()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await expectLabelsFit(page)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    section.getByRole('button', { name: 'Download copy' }).press('Enter'),
  ])
  expect(download.suggestedFilename()).toBe('tiffin-copy.zip')
  const files = unzip(await readFile(await download.path()))
  const part = (name: string) => v.parse(rows, JSON.parse(files.get(`${name}.json`)?.toString() ?? ''))
  expect(files.get('README.txt')?.toString()).toContain('This is all that Tiffin held about you')
  expect(part('user').profile).toMatchObject([{ email: customer.email, address: '7 Ward Place, Colombo' }])
  expect(part('order').orders).toMatchObject([{ code: order.orderId, address: '7 Ward Place, Colombo' }])
  expect(part('payment').payments).toMatchObject([{ order: order.orderId, kind: 'PayPal', status: 'captured' }])
  const [shown] = part('media').pictures ?? []
  expect(shown).toMatchObject({ name: `${customer.id}.png` })
  expect(files.get(String(shown?.file))?.subarray(1, 4).toString()).toBe('PNG')
  // Nothing of anyone else.
  const all = [...files.values()].join('\n')
  for (const foreign of [other.email, other.id, 'Upali', '99 Hill Street']) expect(all).not.toContain(foreign)
})

test('the copy is in the language of the page', async ({ visit }) => {
  const customer = await newAccount()
  const page = await visit('/profile', { as: customer, width: 390, language: 'ta' })
  await page.getByRole('button', { name: 'நகலைக் கேள்' }).click()
  await page.getByRole('button', { name: 'நகலைப் பதிவிறக்கு' }).waitFor()
  await expectLabelsFit(page)
  await expectNoHorizontalScroll(page)
})
