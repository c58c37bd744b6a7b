// Made from `events/catalog/src/services.rs` by `cargo xtask generate`.

/** Every service, with the beginnings of the paths that it answers. */
export const SERVICES = [
  { name: 'user', paths: ['/api/v1/users', '/api/v1/inquiry', '/api/v1/geocode', '/.well-known/jwks.json'] },
  { name: 'restaurant', paths: ['/api/v1/restaurant', '/api/v1/collection', '/api/v1/reviews'] },
  { name: 'order', paths: ['/api/v1/orders'] },
  { name: 'payment', paths: ['/api/v1/payment'] },
  { name: 'delivery', paths: ['/api/v1/delivery'] },
  { name: 'driver', paths: ['/api/v1/driver'] },
  { name: 'notification', paths: ['/api/v1/notification'] },
  { name: 'media', paths: ['/storage/v1/object'] },
  { name: 'live', paths: ['/live'] },
  { name: 'operator', paths: ['/api/v1/operator'] },
] as const

export type ServiceName = (typeof SERVICES)[number]['name']

/** The service that answers a path. */
export function serviceOf(path: string): ServiceName | undefined {
  return SERVICES.find(({ paths }) => paths.some((start) => path.startsWith(start)))?.name
}
