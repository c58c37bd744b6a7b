import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { WebSocket } from 'undici'
import * as v from 'valibot'

import { URL_OF_PLATFORM } from '../browser'
import { demo, login, newEmail } from '../accounts'
import { call, deliverySchema, eventually, itemSchema, orderSchema, restaurantSchema } from '../platform'

/** A checkout's lines at most. */
const LINES = 50
/** Calls under way at once, while the fleet is made. */
const AT_ONCE = 8
/** Positions go out this often, each time those of the drivers whose turn it is, in milliseconds. */
const TURN = 20
/** Metres a second. */
const SPEED = 9
/** Metres of one degree of latitude. */
const DEGREE = 111_320
const PASSWORD = 'Tiffin@2026'
/** The area of the drivers: Colombo, from the harbour to Wellawatte. */
const TOWN = { south: 6.878, north: 6.945, west: 79.852, east: 79.89 }

interface Driver {
  id: string
  token: string
}

/** Makes as many drivers, each with a delivery under way; answers what each of them sends. */
export async function newFleet(count: number): Promise<Courier[]> {
  const admin = await login(demo.admin)
  const drivers = await newDrivers(count)
  const orders = await newOrders(count)
  await each(orders, async (orderId, at) => {
    const body = { status: 'confirmed', driverId: drivers[at]?.id }
    await eventually(async () => await call('PUT', `/api/v1/orders/status/${orderId}`, { token: admin.token, body }).catch(() => undefined), 60_000)
  })
  const deliveries = await eventually(async () => {
    const list = v.parse(
      v.array(v.object({ ...deliverySchema.entries, driverId: v.string() })),
      await call('GET', '/api/v1/delivery?underWay=true', { token: admin.token }),
    )
    const ours = list.filter((one) => drivers.some((driver) => driver.id === one.driverId))
    return ours.length === count ? ours : undefined
  }, 120_000)
  await each(deliveries, async ({ _id }) => {
    await call('PUT', `/api/v1/delivery/update/${_id}`, { token: admin.token, body: { status: 'on the way' } })
  })
  return deliveries.map((delivery) => {
    const driver = drivers.find((one) => one.id === delivery.driverId)
    if (driver === undefined) throw new Error('a delivery without a driver')
    return new Courier(driver.token, delivery._id)
  })
}

/** Signs drivers up and proves their addresses, all of them at a time: mails are read once. */
async function newDrivers(count: number): Promise<Driver[]> {
  const emails = Array.from({ length: count }, newEmail)
  const waiting = await each(emails, async (email, at) => {
    const form = {
      email,
      password: PASSWORD,
      firstName: 'Kasun',
      lastName: 'Silva',
      address: '1 Depot Lane, Colombo',
      phone: `07700${String(at).padStart(5, '0')}`,
      image: '/art/person.svg',
      vehicleType: 'Bike',
      drNic: '199012345678',
    }
    await call('POST', '/api/v1/driver', { body: form })
    const { token } = await login({ email, password: PASSWORD })
    await call('GET', '/api/v1/users/sendOTP', { token })
    return { email, token }
  })
  const codes = await eventually(async () => {
    const found = codesMailed()
    return await Promise.resolve(emails.every((email) => found.has(email)) ? found : undefined)
  }, 120_000)
  const verified = v.object({ token: v.string(), user: v.object({ _id: v.string() }) })
  return await each(waiting, async ({ email, token }) => {
    const answer = v.parse(verified, await call('POST', '/api/v1/users/verifyOTP', { token, body: { otp: codes.get(email) } }))
    return { id: answer.user._id, token: answer.token }
  })
}

function codesMailed(): Map<string, string> {
  const home = process.env.TIFFIN_HOME
  if (home === undefined) throw new Error('TIFFIN_HOME, the folder of the platform, holds its mails')
  const folder = path.join(home, 'mail')
  const codes = new Map<string, string>()
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.eml'))) {
    const mail = readFileSync(path.join(folder, name), 'utf8')
    const code = /^Subject: (\d{6}) /m.exec(mail)?.[1]
    const to = /^To: .*?([^\s<>]+@[^\s<>]+)/m.exec(mail)?.[1]
    if (code !== undefined && to !== undefined) codes.set(to, code)
  }
  return codes
}

/** Orders of the demo's customer, one for each driver: checkouts of as many dishes as one may have. */
async function newOrders(count: number): Promise<string[]> {
  const customer = await login(demo.customer)
  const restaurants = v.parse(v.array(restaurantSchema), await call('GET', '/api/v1/restaurant'))
  const items = v.parse(v.array(v.object({ ...itemSchema.entries, restaurantId: v.string() })), await call('GET', '/api/v1/collection'))
  const open = new Set(restaurants.filter((one) => one.isOpen).map((one) => one._id))
  const dishes = items.filter((item) => item.available && item.approve && open.has(item.restaurantId))
  const orders: string[] = []
  while (orders.length < count) {
    const wanted = dishes.slice(0, Math.min(LINES, count - orders.length))
    const body = { orderItem: wanted.map(({ _id }) => ({ key: _id, qty: 1 })) }
    const placed = v.parse(v.object({ orders: v.array(orderSchema) }), await call('POST', '/api/v1/orders', { token: customer.token, body }))
    orders.push(...placed.orders.map((order) => order.orderId))
  }
  return orders
}

/** A driver who crosses the town and sends positions over a separate websocket. */
export class Courier {
  readonly #token: string
  readonly #deliveryId: string
  #socket: WebSocket | undefined
  #lat = between(TOWN.south, TOWN.north)
  #lng = between(TOWN.west, TOWN.east)
  /** Degrees clockwise from north. */
  #heading = Math.floor(between(0, 4)) * 90
  sent = 0

  constructor(token: string, deliveryId: string) {
    this.#token = token
    this.#deliveryId = deliveryId
  }

  async connect(): Promise<void> {
    const socket = new WebSocket(new URL('/live', URL_OF_PLATFORM.replace(/^http/, 'ws')))
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => { socket.send(JSON.stringify({ type: 'auth', token: this.#token })) })
      socket.addEventListener('message', ({ data }) => {
        if (String(data).includes('"ready"')) resolve()
      })
      socket.addEventListener('close', ({ code, reason }) => { reject(new Error(`the bridge closed: ${String(code)} ${reason}`)) })
      socket.addEventListener('error', () => { reject(new Error('the bridge can not be reached')) })
    })
    this.#socket = socket
  }

  /** Drives for a second, and returns the new position. */
  drive(): void {
    if (Math.random() < 0.1) this.#heading = (this.#heading + (Math.random() < 0.5 ? 90 : 270)) % 360
    const turn = (this.#heading * Math.PI) / 180
    this.#lat += (Math.cos(turn) * SPEED) / DEGREE
    this.#lng += (Math.sin(turn) * SPEED) / (DEGREE * Math.cos((this.#lat * Math.PI) / 180))
    const { south, north, west, east } = TOWN
    if (this.#lat < south || this.#lat > north || this.#lng < west || this.#lng > east) this.#heading = (this.#heading + 180) % 360
    const position = { type: 'position', deliveryId: this.#deliveryId, lat: this.#lat, lng: this.#lng, accuracy: 8, heading: this.#heading, speed: SPEED }
    this.#socket?.send(JSON.stringify({ ...position, at: new Date().toISOString() }))
    this.sent += 1
  }

  close(): void {
    this.#socket?.close()
  }
}

/** Lets each of them drive once a second, evenly over it, until the returned function is called. */
export function setOff(couriers: Courier[]): () => void {
  const started = Date.now()
  let driven = 0
  const timer = setInterval(() => {
    const due = Math.floor(((Date.now() - started) / 1000) * couriers.length)
    for (; driven < due; driven += 1) couriers[driven % couriers.length]?.drive()
  }, TURN)
  return () => { clearInterval(timer) }
}

/** Does something for each, a few at a time, in order. */
export async function each<In, Out>(all: In[], act: (one: In, at: number) => Promise<Out>): Promise<Out[]> {
  const done: Out[] = []
  let next = 0
  const worker = async () => {
    for (let at = next++; at < all.length; at = next++) {
      const one = all[at]
      if (one !== undefined) done[at] = await act(one, at)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return done
}

function between(low: number, high: number): number {
  return low + (high - low) * Math.random()
}
