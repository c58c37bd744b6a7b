/** The lists of the platform: the key of each in the cache, and its address. */
export const lists = {
  orders: { key: ['orders'], url: '/api/v1/orders' },
  deliveries: { key: ['deliveries'], url: '/api/v1/delivery' },
  drivers: { key: ['drivers'], url: '/api/v1/driver' },
  items: { key: ['items'], url: '/api/v1/collection' },
  restaurants: { key: ['restaurants'], url: '/api/v1/restaurant' },
  reviews: { key: ['reviews'], url: '/api/v1/reviews' },
  users: { key: ['users'], url: '/api/v1/users' },
  inquiries: { key: ['inquiries'], url: '/api/v1/inquiry' },
  payments: { key: ['payments'], url: '/api/v1/payment' },
} as const

export interface ListAt {
  key: readonly string[]
  url: string
}
