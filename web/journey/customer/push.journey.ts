import * as v from 'valibot'
import { expect } from 'vitest'

import { URL_OF_PLATFORM } from '../browser'
import { confirmOrder, newRestaurantWithItem, newOrders } from '../restaurants'
import { newAccount } from '../accounts'
import { call, eventually } from '../platform'
import { test } from '../test'

const coded = v.object({ code: v.string(), params: v.record(v.string(), v.string()) })
const notifications = v.array(
  v.object({ _id: v.string(), text: v.string(), coded, orderCode: v.string(), deliveryId: v.nullish(v.string()), restaurantName: v.nullish(v.string()) }),
)
const registrations = v.object({ registrations: v.array(v.object({ registrationId: v.string(), scopeURL: v.string() })) })
const shown = v.array(v.object({ title: v.string(), body: v.string(), tag: v.string(), url: v.string() }))

const readers = [
  { language: 'en', title: (order: string) => `Confirmed: ${order}`, body: (order: string) => `Your order ${order} is confirmed` },
  { language: 'ta', title: (order: string) => `உறுதியானது: ${order}`, body: (order: string) => `உங்கள் ${order} ஆர்டர் உறுதியானது` },
] as const

test.for(readers)('a pushed message is shown by the browser, once, in $language, and names the restaurant and a page with the details', async (reader, { visit }) => {
  const { owner, item } = await newRestaurantWithItem()
  const [customer, driver] = [await newAccount(), await newAccount('delivery')]
  const page = await visit('/', { as: customer, language: reader.language, serviceWorkers: 'allow', permissions: ['notifications'] })
  const devtools = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', (event) => {
      const [ours] = v.parse(registrations, event).registrations.filter(({ scopeURL }) => scopeURL.startsWith(URL_OF_PLATFORM))
      if (ours !== undefined) resolve(ours.registrationId)
    })
  })
  await devtools.send('ServiceWorker.enable')
  await page.evaluate(async () => { await navigator.serviceWorker.ready })
  if (reader.language !== 'en') await expect.poll(() => page.evaluate(() => caches.has('tiffin-texts'))).toBe(true)

  const [order] = await newOrders(customer, [item._id])
  if (order === undefined) throw new Error('one order')
  await confirmOrder(owner, order.orderId, driver)
  const notification = await eventually(async () => {
    const all = v.parse(notifications, await call('GET', '/api/v1/notification', { token: customer.token }))
    return all.find((one) => one.orderCode === order.orderId && one.restaurantName != null)
  })

  // The message that the notification service would encrypt for this browser; no push service is there to carry it.
  const message = {
    title: `Confirmed: ${notification.orderCode}`,
    body: notification.text,
    tag: notification._id,
    url: notification.deliveryId == null ? '/profile' : `/track/${notification.deliveryId}`,
  }
  const codes = {
    titleCode: 'notification.title-confirmed',
    bodyCode: notification.coded.code,
    params: notification.coded.params,
    restaurant: notification.restaurantName,
  }
  const data = JSON.stringify({ ...message, ...codes })
  const push = { origin: URL_OF_PLATFORM, registrationId: await registered, data }
  // Each look brings the message once more: it is shown once all the same.
  const bring = async () => {
    await devtools.send('ServiceWorker.deliverPushMessage', push)
    return v.parse(
      shown,
      await page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready
        const all = await registration.getNotifications()
        return all.map(({ title, body, tag, data }) => ({ title, body, tag, url: data.url }))
      }),
    )
  }
  const read = {
    ...message,
    title: reader.title(order.orderId),
    body: expect.stringMatching(new RegExp(`^${reader.body(order.orderId)}.*\\n${notification.restaurantName ?? ''}$`)),
  }
  await expect.poll(bring).toEqual([read])
  await expect.poll(bring).toEqual([read])

  await page.goto(message.url)
  await page.getByText(order.orderId).first().waitFor()
})
