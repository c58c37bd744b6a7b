import { queryOptions } from '@tanstack/react-query'

import { serviceUrl } from '@/lib/config'
import { SERVICES, type ServiceName } from '@/lib/services'

/** A public call of each service; any answer will do. */
const PROBES: Record<Exclude<ServiceName, 'live'>, string> = {
  user: '/.well-known/jwks.json',
  restaurant: '/api/v1/restaurant?limit=1',
  order: '/api/v1/orders',
  payment: '/api/v1/payment',
  delivery: '/api/v1/delivery',
  driver: '/api/v1/driver',
  notification: '/api/v1/notification',
  media: '/storage/v1/object/public/images/health',
  operator: '/api/v1/operator/streams',
}

/** The longest time that the live bridge may take to accept a connection, in milliseconds. */
const CONNECT_TIMEOUT = 5_000

interface Health {
  service: string
  up: boolean
  /** Milliseconds to the answer. */
  duration: number | null
}

/** The health of each service and its response time. A service that refuses a stranger is up. */
export function healthQuery() {
  return queryOptions({
    queryKey: ['health'],
    staleTime: 0,
    queryFn: async ({ signal }) =>
      await Promise.all(SERVICES.flatMap(({ name }) => (name === 'live' ? [] : [probe(name, PROBES[name], signal)]))),
  })
}

async function probe(service: ServiceName, path: string, signal: AbortSignal): Promise<Health> {
  const start = performance.now()
  try {
    const { status } = await fetch(`${serviceUrl(service)}${path}`, { cache: 'no-store', signal })
    return { service, up: status < 500, duration: performance.now() - start }
  } catch {
    return { service, up: false, duration: null }
  }
}

/** Milliseconds until the live bridge takes a connection; null where it takes none. */
export function socketQuery() {
  return queryOptions({ queryKey: ['health', 'live'], staleTime: 0, queryFn: connect })
}

function connect(): Promise<number | null> {
  const base = serviceUrl('live')
  const url = new URL('/live', base === '' ? window.location.origin : base)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const start = performance.now()
  return new Promise((resolve) => {
    const socket = new WebSocket(url)
    const end = (took: number | null) => {
      clearTimeout(timer)
      resolve(took)
      socket.close()
    }
    const timer = setTimeout(end, CONNECT_TIMEOUT, null)
    socket.onopen = () => {
      end(performance.now() - start)
    }
    socket.onerror = () => {
      end(null)
    }
  })
}
