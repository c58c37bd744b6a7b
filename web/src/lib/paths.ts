// Every URL of the web app is built here, and nowhere else.

/** The path of each page, for the list of routes and the functions below; `:name` is a part that differs. */
export const patterns = {
  home: '/',
  contact: '/contact',
  menu: '/menu',
  order: '/order',
  restaurants: '/restaurant',
  restaurant: '/restaurant/:id',
  items: '/item',
  product: '/product/:key',
  cart: '/cart',
  bookingConfirmation: '/bookingconfirmation',
  payment: '/payment',
  location: '/location',
  track: '/track/:id',
  profile: '/profile',
  testing: '/testing',
  login: '/login',
  register: '/register',
  restaurantSignup: '/restaurant-signup',
  driverSignup: '/driver-signup',
  verifyEmail: '/verify-email',
  twoStep: '/two-step',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  owner: {
    root: '/restaurantC',
    orders: '/restaurantC/booking',
    restaurants: '/restaurantC/restaurant',
    newRestaurant: '/restaurantC/restaurant/add',
    restaurant: '/restaurantC/restaurant/edit',
    items: '/restaurantC/restaurant/collection',
    newItem: '/restaurantC/restaurant/collection/add',
    item: '/restaurantC/restaurant/collection/update',
    figures: '/restaurantC/figures',
    reviews: '/restaurantC/review',
    track: '/restaurantC/track/:id',
    profile: '/restaurantC/profile',
  },
  driver: {
    root: '/driver',
    available: '/driver/available',
    track: '/driver/track',
  },
  admin: {
    root: '/admin',
    orders: '/admin/booking',
    items: '/admin/item',
    itemEdit: '/admin/item/edit',
    restaurants: '/admin/package',
    users: '/admin/user',
    reviews: '/admin/review',
    inquiries: '/admin/inquiry',
    payments: '/admin/payment',
    profile: '/admin/profile',
  },
  operator: {
    streams: '/admin/events',
    events: '/admin/events/search',
    findOrder: '/admin/events/timeline',
    timeline: '/admin/events/timeline/:orderId',
    replays: '/admin/events/replays',
    models: '/admin/events/models',
    deadLetters: '/admin/events/dead',
    operations: '/admin/events/operations',
    capacity: '/admin/events/capacity',
  },
} as const

const segment = encodeURIComponent

/** A pattern with a value in place of its `:name`. */
function fill(pattern: string, value: string): string {
  return pattern.replace(/:\w+/, () => segment(value))
}

function withQuery(path: string, query: Record<string, string>): string {
  const text = new URLSearchParams(query).toString()
  return text === '' ? path : `${path}?${text}`
}

export const paths = {
  home: () => patterns.home,
  contact: () => patterns.contact,
  menu: () => patterns.menu,
  order: () => patterns.order,
  restaurants: () => patterns.restaurants,
  restaurant: (id: string) => fill(patterns.restaurant, id),
  /** The list of items, narrowed by category and search text. */
  items: (filter: { category?: string; q?: string } = {}) => {
    const query = new URLSearchParams()
    if (filter.category) query.set('category', filter.category)
    if (filter.q) query.set('q', filter.q)
    const text = query.toString()
    return text === '' ? patterns.items : `${patterns.items}?${text}`
  },
  product: (key: string) => fill(patterns.product, key),
  cart: () => patterns.cart,
  bookingConfirmation: (checkoutId?: string) =>
    withQuery(patterns.bookingConfirmation, checkoutId === undefined ? {} : { checkout: checkoutId }),
  payment: (checkoutId?: string) =>
    withQuery(patterns.payment, checkoutId === undefined ? {} : { checkout: checkoutId }),
  location: () => patterns.location,
  track: (deliveryId: string) => fill(patterns.track, deliveryId),
  /** `delivery` selects one of the delivery history to show on the map. */
  profile: (delivery?: string) => withQuery(patterns.profile, delivery === undefined ? {} : { delivery }),
  testing: () => patterns.testing,
  login: () => patterns.login,
  register: () => patterns.register,
  restaurantSignup: () => patterns.restaurantSignup,
  driverSignup: () => patterns.driverSignup,
  verifyEmail: () => patterns.verifyEmail,
  twoStep: () => patterns.twoStep,
  forgotPassword: () => patterns.forgotPassword,
  owner: {
    root: () => `${patterns.owner.root}/`,
    orders: () => patterns.owner.orders,
    restaurants: () => patterns.owner.restaurants,
    newRestaurant: () => patterns.owner.newRestaurant,
    restaurant: (id: string) => withQuery(patterns.owner.restaurant, { id }),
    items: (restaurantId: string) => withQuery(patterns.owner.items, { restaurantId }),
    newItem: (restaurantId: string) => withQuery(patterns.owner.newItem, { restaurantId }),
    item: (id: string) => withQuery(patterns.owner.item, { id }),
    figures: () => patterns.owner.figures,
    reviews: () => patterns.owner.reviews,
    track: (deliveryId: string) => fill(patterns.owner.track, deliveryId),
    profile: () => patterns.owner.profile,
  },
  driver: {
    root: () => `${patterns.driver.root}/`,
    available: () => patterns.driver.available,
    track: () => patterns.driver.track,
  },
  admin: {
    root: () => `${patterns.admin.root}/`,
    orders: (of: { status?: string; isApprove?: string } = {}) => withQuery(patterns.admin.orders, of),
    /** The items of a restaurant or a category. */
    items: (of: { restaurantId?: string; category?: string; approve?: string } = {}) => withQuery(patterns.admin.items, of),
    itemEdit: (itemId: string) => withQuery(patterns.admin.itemEdit, { id: itemId }),
    restaurants: (of: { verified?: string } = {}) => withQuery(patterns.admin.restaurants, of),
    users: () => patterns.admin.users,
    reviews: (of: { isApproved?: string } = {}) => withQuery(patterns.admin.reviews, of),
    inquiries: () => patterns.admin.inquiries,
    payments: () => patterns.admin.payments,
    profile: () => patterns.admin.profile,
  },
  /** The operators' console of the event history. */
  operator: {
    streams: () => patterns.operator.streams,
    events: (of: Record<string, string> = {}) => withQuery(patterns.operator.events, of),
    /** The timeline of an order, by its `_id` or its code; without one, where to ask for it. */
    timeline: (order?: string) => (order === undefined ? patterns.operator.findOrder : fill(patterns.operator.timeline, order)),
    replays: (of: { stream?: string; consumer?: string } = {}) => withQuery(patterns.operator.replays, of),
    models: () => patterns.operator.models,
    deadLetters: () => patterns.operator.deadLetters,
    operations: () => patterns.operator.operations,
    capacity: () => patterns.operator.capacity,
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
