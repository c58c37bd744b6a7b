// Every URL of the web app is built here, and nowhere else.

const segment = encodeURIComponent

function withQuery(path: string, query: Record<string, string>): string {
  const text = new URLSearchParams(query).toString()
  return text === '' ? path : `${path}?${text}`
}

export const paths = {
  home: () => '/',
  contact: () => '/contact',
  menu: () => '/menu',
  order: () => '/order',
  restaurants: () => '/restaurant',
  restaurant: (id: string) => `/restaurant/${segment(id)}`,
  /** The list of items, narrowed by category and search text. */
  items: (filter: { category?: string; q?: string } = {}) => {
    const query = new URLSearchParams()
    if (filter.category) query.set('category', filter.category)
    if (filter.q) query.set('q', filter.q)
    const text = query.toString()
    return text === '' ? '/item' : `/item?${text}`
  },
  product: (key: string) => `/product/${segment(key)}`,
  cart: () => '/cart',
  bookingConfirmation: (checkoutId?: string) =>
    checkoutId === undefined ? '/bookingconfirmation' : `/bookingconfirmation?checkout=${segment(checkoutId)}`,
  payment: (checkoutId?: string) =>
    checkoutId === undefined ? '/payment' : `/payment?checkout=${segment(checkoutId)}`,
  location: () => '/location',
  track: (deliveryId: string) => `/track/${segment(deliveryId)}`,
  /** `delivery` selects one of the delivery history to show on the map. */
  profile: (delivery?: string) => (delivery === undefined ? '/profile' : `/profile?delivery=${segment(delivery)}`),
  testing: () => '/testing',
  login: () => '/login',
  register: () => '/register',
  restaurantSignup: () => '/restaurant-signup',
  driverSignup: () => '/driver-signup',
  verifyEmail: () => '/verify-email',
  twoStep: () => '/two-step',
  forgotPassword: () => '/forgot-password',
  owner: {
    root: () => '/restaurantC/',
    orders: () => '/restaurantC/booking',
    restaurants: () => '/restaurantC/restaurant',
    newRestaurant: () => '/restaurantC/restaurant/add',
    restaurant: (id: string) => `/restaurantC/restaurant/edit?id=${segment(id)}`,
    items: (restaurantId: string) => `/restaurantC/restaurant/collection?restaurantId=${segment(restaurantId)}`,
    newItem: (restaurantId: string) => `/restaurantC/restaurant/collection/add?restaurantId=${segment(restaurantId)}`,
    item: (id: string) => `/restaurantC/restaurant/collection/update?id=${segment(id)}`,
    figures: () => '/restaurantC/figures',
    reviews: () => '/restaurantC/review',
    profile: () => '/restaurantC/profile',
  },
  driver: {
    root: () => '/driver/',
    available: () => '/driver/available',
    track: () => '/driver/track',
  },
  admin: {
    root: () => '/admin/',
    orders: (of: { status?: string } = {}) => withQuery('/admin/booking', of),
    /** The items of a restaurant or a category. */
    items: (of: { restaurantId?: string; category?: string; approve?: string } = {}) => withQuery('/admin/item', of),
    itemEdit: (itemId: string) => `/admin/item/edit?id=${segment(itemId)}`,
    restaurants: (of: { verified?: string } = {}) => withQuery('/admin/package', of),
    users: () => '/admin/user',
    reviews: (of: { isApproved?: string } = {}) => withQuery('/admin/review', of),
    inquiries: () => '/admin/inquiry',
    payments: () => '/admin/payment',
    profile: () => '/admin/profile',
  },
  /** The operators' console of the event history. */
  operator: {
    streams: () => '/admin/events',
    events: (of: Record<string, string> = {}) => withQuery('/admin/events/search', of),
    /** The timeline of an order, by its `_id` or its code; without one, where to ask for it. */
    timeline: (order?: string) => (order === undefined ? '/admin/events/timeline' : `/admin/events/timeline/${segment(order)}`),
    replays: (of: { stream?: string; consumer?: string } = {}) => withQuery('/admin/events/replays', of),
    models: () => '/admin/events/models',
    deadLetters: () => '/admin/events/dead',
    operations: () => '/admin/events/operations',
  },
}

/** The first page of a role after signing in. */
export function homeOf(role: string): string {
  if (role === 'admin') return paths.admin.root()
  if (role === 'operator') return paths.operator.streams()
  if (role === 'restaurant') return paths.owner.root()
  if (role === 'delivery') return paths.driver.root()
  return paths.home()
}
