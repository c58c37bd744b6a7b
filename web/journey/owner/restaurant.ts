import { newItem, newOrders, newRestaurant } from '../restaurants'
import { demo, login, newAccount, type Account } from '../accounts'
import { call } from '../platform'

/** A driver who takes deliveries. */
export async function newDriver(more: Record<string, unknown> = {}): Promise<Account> {
  const driver = await newAccount('delivery', more)
  await setAvailable(driver, true)
  return driver
}

export async function setAvailable(driver: Account, isAvailable: boolean): Promise<void> {
  await call('PUT', `/api/v1/driver/${driver.id}`, { token: driver.token, body: { isAvailable } })
}

/** An owner, their open restaurant with a dish, and a customer. */
export async function newVerifiedRestaurant() {
  const owner = await newAccount('restaurant', { firstName: 'Ruwan', lastName: 'Silva' })
  const restaurant = await newRestaurant(owner)
  const item = await newItem(owner, restaurant._id)
  await verify(restaurant._id)
  const customer = await newAccount()
  return { owner, restaurant, item, customer }
}

/** Verifies a restaurant: only then does its owner see drivers. */
async function verify(restaurantId: string): Promise<void> {
  const admin = await login(demo.admin)
  await call('PUT', `/api/v1/restaurant/update/${restaurantId}`, { token: admin.token, body: {} })
}

/** One more order of a shop's customer for its dish. */
export async function newOrder({ customer, item }: Awaited<ReturnType<typeof newVerifiedRestaurant>>) {
  const [order] = await newOrders(customer, [item._id])
  if (order === undefined) throw new Error('nothing was ordered')
  return order
}
