import { demo, newAccount } from '../accounts'
import { call } from '../platform'
import { seen } from '../spec/seen'
import { refuseCall, test } from '../test'

async function ask(message = 'Where is my kottu?') {
  const person = await newAccount()
  await call('POST', '/api/v1/inquiry', { token: person.token, body: { message } })
  return person
}

test('an inquiry is answered', async ({ visit }) => {
  const person = await ask()
  const page = await visit(`/admin/inquiry?q=${person.email}`, { as: demo.admin })
  await seen(page, 'admin inquiries', { route: 'all', button: 'all' })
  const card = page.getByRole('article', { name: `Inquiry from ${person.email}` })
  for (const text of [person.email, '0771234567', 'Where is my kottu?']) await card.getByText(text, { exact: true }).waitFor()
  const response = card.getByRole('textbox')
  await card.locator('textarea[rows="3"]').waitFor()

  await response.fill('   ')
  await card.getByRole('button', { name: 'Send Response' }).click()
  await seen(page, 'admin inquiries', { text: ['Warning', 'Response cannot be empty.'] })
  await page.getByRole('button', { name: 'OK', exact: true }).click()

  await response.fill('With the driver, four minutes away.')
  await refuseCall(page, 'PUT', '/api/v1/inquiry/**', { status: 503 })
  await card.getByRole('button', { name: 'Send Response' }).click()
  await seen(page, 'admin inquiries', { text: ['Error', 'Failed to update response.'] })
  await page.getByRole('button', { name: 'OK', exact: true }).click()
  await card.getByRole('button', { name: 'Send Response' }).click()
  await seen(page, 'admin inquiries', { text: ['Success', 'Response updated successfully.'] })
  await page.getByRole('button', { name: 'OK', exact: true }).click()
  // It is there again, ready to be reworded.
  await page.reload()
  await card.getByText('With the driver, four minutes away.').waitFor()
})

test('an inquiry is deleted only after a yes', async ({ visit }) => {
  const person = await ask()
  const page = await visit(`/admin/inquiry?q=${person.email}`, { as: demo.admin })
  const remove = page.getByRole('article').getByRole('button', { name: 'Delete' })
  await refuseCall(page, 'DELETE', '/api/v1/inquiry/**', { status: 503 })
  await remove.click()
  await seen(page, 'admin inquiries', { text: ['Are you sure?', 'This inquiry will be permanently deleted.', 'Yes, delete it!'] })
  await page.getByRole('button', { name: 'Yes, delete it!' }).click()
  await seen(page, 'admin inquiries', { text: ['Error', 'Failed to delete inquiry.'] })
  await page.getByRole('button', { name: 'OK', exact: true }).click()
  await remove.click()
  await page.getByRole('button', { name: 'Yes, delete it!' }).click()
  await seen(page, 'admin inquiries', { text: ['Deleted!', 'Inquiry has been deleted.', 'No inquiries found.'] })
})

test('a customer without a phone is shown with an unknown phone', async ({ visit }) => {
  const person = await ask()
  const page = await visit('/admin/', { as: demo.admin })
  // Accounts of an outside identity have none; every form of ours asks for one.
  await page.route('**/api/v1/inquiry?**', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: (await answer.text()).replaceAll(/"phone":"[^"]*",?/g, '') })
  })
  await page.goto(`/admin/inquiry?q=${person.email}`)
  await seen(page, 'admin inquiries', { text: ['Unknown'] })
})

test('a new inquiry appears live', async ({ visit }) => {
  const page = await visit('/admin/inquiry', { as: demo.admin, width: 390 })
  await page.getByRole('heading', { name: 'Admin Inquiries' }).waitFor()
  const person = await ask('Do you deliver to Moratuwa?')
  await page.getByRole('article', { name: `Inquiry from ${person.email}` }).waitFor()
})
