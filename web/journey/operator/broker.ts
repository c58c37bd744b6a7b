import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'

import { connect, headers } from '@nats-io/transport-node'
import * as v from 'valibot'

/** The address of the platform's broker, from the platform's own file. */
function address() {
  const home = process.env.TIFFIN_HOME
  if (home === undefined) throw new Error('TIFFIN_HOME, the folder of the platform, holds the address of its broker')
  const run = v.object({ nats: v.object({ url: v.pipe(v.string(), v.url()) }) })
  return new URL(v.parse(run, JSON.parse(readFileSync(path.join(home, 'run.json'), 'utf8'))).nats.url)
}

/** An event as it goes to the broker, good or bad. */
interface Outgoing {
  subject: string
  body: Record<string, unknown>
}

/**
 * Publishes past every service: what no service would ever send. The header says that an operator puts
 * something right; without it the stream's own service finds that it was tampered with, and publishes there no more.
 */
export async function publish(events: Outgoing[]): Promise<void> {
  const { host, username, password } = address()
  const broker = await connect({ servers: host, user: username, pass: password })
  const options = { headers: headers() }
  options.headers.set('Tiffin-Put-Right', 'journey')
  for (const { subject, body } of events) broker.publish(subject, JSON.stringify(body), options)
  await broker.drain()
}

/** The event of an aggregate with a sequence. */
function event(aggregate: 'driver' | 'user', id: string, sequence: number, name: string, data: Record<string, unknown>): Outgoing {
  return {
    subject: `tiffin.${aggregate}.${id}.${name}`,
    body: {
      specversion: '1.0',
      id: newId(),
      source: `tiffin/${aggregate}`,
      type: `tiffin.${aggregate}.${name}.v1`,
      subject: id,
      time: new Date().toISOString(),
      datacontenttype: 'application/json',
      sequence,
      actor: id,
      data,
    },
  }
}

/** An event of a driver that the order service alone consumes. */
function driverEvent(driverId: string, sequence: number, name: string, data: Record<string, unknown>): Outgoing {
  return event('driver', driverId, sequence, name, data)
}

/** A driver's first events, the first of which can't be handled: it does not say whether they are available. */
export async function newPoison(): Promise<string> {
  const driverId = newId()
  await publish([
    driverEvent(driverId, 1, 'registered', { driverId, vehicleType: 'Bike' }),
    driverEvent(driverId, 2, 'available', { driverId }),
  ])
  return driverId
}

/** The end of an account that no consumer can handle: it lacks the account's role. */
export async function newPoisonedEnd(): Promise<string> {
  const userId = newId()
  await publish([event('user', userId, 1, 'deleted', { userId })])
  return userId
}

/** A driver with so many events. */
export async function newHistory(count: number): Promise<string> {
  const driverId = newId()
  const later = Array.from({ length: count - 1 }, (_, at) => driverEvent(driverId, at + 2, 'available', { driverId }))
  await publish([driverEvent(driverId, 1, 'registered', { driverId, vehicleType: 'Bike', isAvailable: true }), ...later])
  return driverId
}

let made = 0

/** An id that begins with the moment, as the platform's own do; those of one moment follow each other. */
function newId(): string {
  made += 1
  const moment = Date.now().toString(16).padStart(12, '0')
  const rest = `7${(made % 4096).toString(16).padStart(3, '0')}`
  return `${moment.slice(0, 8)}-${moment.slice(8)}-${rest}-${randomUUID().slice(19)}`
}
