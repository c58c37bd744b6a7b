import { expectAccessible } from './axe'
import { seen } from './spec/seen'
import { test } from './test'

test('an address that is no page says so', async ({ visit }) => {
  const page = await visit('/nowhere')
  await seen(page, 'not found', { text: 'all' })
  await seen(page, 'routes', { route: ['/{any other path}'] })
  await expectAccessible(page)
})

test('old addresses lead to their pages', async ({ visit }) => {
  const page = await visit('/')
  await seen(page, 'routes', { route: ['/'] })
  await seen(page, 'home', { link: ['/menu'] })
  await seen(page, 'routes', { route: ['/menu -> /item'] })
})
