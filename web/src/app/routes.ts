import type { ComponentType } from 'react'
import type { Params } from 'react-router'

import { itemPagesQuery, itemQuery, itemsOfQuery, restaurantQuery, restaurantsQuery } from '@/api/catalogue'
import { deliveriesQuery } from '@/api/deliveries'
import { reviewsOfQuery } from '@/api/reviews'
import { cart } from '@/lib/cart'
import { paths, patterns } from '@/lib/paths'
import { preloadPictures } from '@/lib/preload-pictures'
import { session } from '@/lib/session'
import type { Area } from '@/lib/texts'

import { queryClient } from './query-client'
import { SiteShell } from './SiteShell'

/** A page, or the frame around its children. */
export interface Route {
  path?: string
  /** The page of the frame's own address. */
  index?: true
  /** The component of a frame that the app always needs. */
  Component?: ComponentType
  /** Fetches the component. */
  lazy?: () => Promise<ComponentType>
  /** The files of texts that it shows. */
  texts?: readonly Area[]
  /** The roles that may see it and its children; others are led to the sign-in or to their own pages. */
  role?: string | readonly string[]
  /** Fetches the first data if the app starts on this page. A failed call is repeated where its answer is shown. */
  loader?: (to: { params: Params; search: URLSearchParams }) => Promise<void>[]
  /** The address that the page has now. */
  redirect?: () => string
  children?: readonly Route[]
}

/** Swallows a failure: the page that misses the answer fetches it again. */
const ignore = () => undefined

const unknown: Route = { path: '*', lazy: async () => (await import('./NotFound')).NotFound }

const site: Route[] = [
  {
    index: true,
    lazy: async () => (await import('@/features/catalogue/HomePage')).HomePage,
    texts: ['catalogue'],
    loader: () => [
      queryClient.fetchQuery(restaurantsQuery()).then((all) => {
        preloadPictures([all.find(({ isOpen }) => isOpen)?.images[0]])
      }, ignore),
      queryClient.prefetchInfiniteQuery(itemPagesQuery({ sort: 'rating' })),
    ],
  },
  {
    path: patterns.restaurants,
    lazy: async () => (await import('@/features/catalogue/RestaurantsPage')).RestaurantsPage,
    texts: ['catalogue'],
  },
  {
    path: patterns.restaurant,
    lazy: async () => (await import('@/features/catalogue/RestaurantPage')).RestaurantPage,
    texts: ['catalogue'],
    loader: ({ params: { id = '' } }) => [
      queryClient.prefetchQuery(restaurantQuery(id)),
      queryClient.prefetchQuery(itemsOfQuery(id)),
    ],
  },
  {
    path: patterns.items,
    lazy: async () => (await import('@/features/catalogue/ItemsPage')).ItemsPage,
    texts: ['catalogue'],
    loader: ({ search }) => {
      const [q, category, sort] = ['q', 'category', 'sort'].map((name) => search.get(name)?.trim() ?? '')
      return [
        queryClient.fetchInfiniteQuery(itemPagesQuery({ q, category, sort })).then(({ pages }) => {
          preloadPictures(pages.flatMap(({ rows }) => rows.map(({ images }) => images[0])).slice(0, 4))
        }, ignore),
        queryClient.prefetchQuery(restaurantsQuery()),
      ]
    },
  },
  {
    path: patterns.product,
    lazy: async () => (await import('@/features/catalogue/ProductPage')).ProductPage,
    texts: ['catalogue'],
    loader: ({ params: { key = '' } }) => [
      queryClient.fetchQuery(itemQuery(key)).then(({ restaurantId, images }) => {
        preloadPictures(images.slice(0, 1))
        return queryClient.prefetchQuery(restaurantQuery(restaurantId))
      }, ignore),
      queryClient.prefetchQuery(reviewsOfQuery(key)),
    ],
  },
  {
    path: patterns.cart,
    lazy: async () => (await import('@/features/checkout/CartPage')).CartPage,
    texts: ['checkout'],
    loader: () => {
      const items = cart.get().orderItem.map(({ key }) => queryClient.prefetchQuery(itemQuery(key)))
      return items.length === 0 ? [] : [...items, queryClient.prefetchQuery(restaurantsQuery())]
    },
  },
  {
    path: patterns.bookingConfirmation,
    lazy: async () => (await import('@/features/checkout/ConfirmationPage')).ConfirmationPage,
    texts: ['checkout', 'cancellation', 'refund'],
    role: 'customer',
  },
  {
    path: patterns.payment,
    lazy: async () => (await import('@/features/checkout/PaymentPage')).PaymentPage,
    texts: ['checkout', 'refund'],
    role: 'customer',
  },
  {
    path: patterns.contact,
    lazy: async () => (await import('@/features/contact/ContactPage')).ContactPage,
    texts: ['contact'],
  },
  {
    path: patterns.location,
    lazy: async () => (await import('@/features/account/LocationPage')).LocationPage,
    texts: ['account'],
  },
  {
    path: patterns.track,
    lazy: async () => (await import('@/features/tracking/TrackPage')).TrackPage,
    texts: ['tracking'],
    role: 'customer',
    loader: () => (session.token() === null ? [] : [queryClient.prefetchQuery(deliveriesQuery())]),
  },
  { path: patterns.profile, lazy: async () => (await import('./Profile')).Profile, texts: ['account', 'tracking', 'cancellation', 'refund'] },
  { path: patterns.testing, lazy: async () => (await import('./TestingPage')).TestingPage },
  { path: patterns.menu, redirect: () => paths.items() },
  { path: patterns.order, redirect: () => paths.profile() },
  unknown,
]

const account: Route[] = [
  { path: patterns.login, lazy: async () => (await import('@/features/account/LoginPage')).LoginPage },
  { path: patterns.register, lazy: async () => (await import('@/features/account/sign-up-pages')).RegisterPage },
  { path: patterns.restaurantSignup, lazy: async () => (await import('@/features/account/sign-up-pages')).RestaurantSignupPage },
  { path: patterns.driverSignup, lazy: async () => (await import('@/features/account/sign-up-pages')).DriverSignupPage },
  { path: patterns.verifyEmail, lazy: async () => (await import('@/features/account/VerifyEmailPage')).VerifyEmailPage },
  { path: patterns.forgotPassword, lazy: async () => (await import('@/features/account/ForgotPasswordPage')).ForgotPasswordPage },
  { path: patterns.resetPassword, lazy: async () => (await import('@/features/account/ResetPasswordPage')).ResetPasswordPage },
  { path: patterns.twoStep, lazy: async () => (await import('@/features/account/two-step/TwoStepPage')).TwoStepPage },
].map((route) => ({ ...route, texts: ['account'] }))

const staffProfile: Omit<Route, 'path'> = {
  lazy: async () => (await import('@/features/account/StaffProfilePage')).StaffProfilePage,
  texts: ['account'],
}

const owner: Route[] = [
  { index: true, redirect: () => paths.owner.orders() },
  {
    path: patterns.owner.orders,
    lazy: async () => (await import('@/features/owner/OwnerOrdersPage')).OwnerOrdersPage,
    texts: ['cancellation', 'refund'],
  },
  { path: patterns.owner.restaurants, lazy: async () => (await import('@/features/owner/OwnerRestaurantsPage')).OwnerRestaurantsPage },
  { path: patterns.owner.newRestaurant, lazy: async () => (await import('@/features/owner/RestaurantAddPage')).RestaurantAddPage },
  { path: patterns.owner.restaurant, lazy: async () => (await import('@/features/owner/RestaurantEditPage')).RestaurantEditPage },
  {
    path: patterns.owner.items,
    lazy: async () => (await import('@/features/owner/ItemsPage')).ItemsPage,
    texts: ['table'],
  },
  { path: patterns.owner.newItem, lazy: async () => (await import('@/features/owner/ItemAddPage')).ItemAddPage },
  { path: patterns.owner.item, lazy: async () => (await import('@/features/owner/ItemUpdatePage')).ItemUpdatePage },
  { path: patterns.owner.reviews, lazy: async () => (await import('@/features/owner/ReviewsPage')).ReviewsPage },
  { path: patterns.owner.figures, lazy: async () => (await import('./OwnerFigures')).OwnerFigures, texts: ['accuracy'] },
  {
    path: patterns.owner.track,
    lazy: async () => (await import('@/features/tracking/TrackPage')).TrackPage,
    texts: ['tracking'],
  },
  { path: patterns.owner.profile, ...staffProfile },
  unknown,
]

const driver: Route[] = [
  { index: true, redirect: () => paths.driver.track() },
  { path: patterns.driver.available, lazy: async () => (await import('./DriverAvailable')).DriverAvailable, texts: ['account'] },
  { path: patterns.driver.track, lazy: async () => (await import('@/features/driver/DriverTrackPage')).DriverTrackPage },
  unknown,
]

const operator: Route[] = [
  { index: true, lazy: async () => (await import('@/features/operator/StreamsPage')).StreamsPage },
  { path: patterns.operator.events, lazy: async () => (await import('@/features/operator/EventsPage')).EventsPage },
  { path: patterns.operator.findOrder, lazy: async () => (await import('@/features/operator/FindOrderPage')).FindOrderPage },
  { path: patterns.operator.timeline, lazy: async () => (await import('@/features/operator/timeline/TimelinePage')).TimelinePage },
  { path: patterns.operator.replays, lazy: async () => (await import('@/features/operator/ReplaysPage')).ReplaysPage },
  { path: patterns.operator.models, lazy: async () => (await import('@/features/operator/ModelsPage')).ModelsPage },
  { path: patterns.operator.deadLetters, lazy: async () => (await import('@/features/operator/DeadLettersPage')).DeadLettersPage },
  { path: patterns.operator.operations, lazy: async () => (await import('@/features/operator/OperationsPage')).OperationsPage },
  { path: patterns.operator.capacity, lazy: async () => (await import('@/features/operator/CapacityPage')).CapacityPage },
  unknown,
]

const admin: Route[] = [
  { index: true, lazy: async () => (await import('./AdminDashboard')).AdminDashboard, texts: ['accuracy'] },
  {
    path: patterns.admin.orders,
    lazy: async () => (await import('@/features/admin/AdminOrdersPage')).AdminOrdersPage,
    texts: ['cancellation', 'refund'],
  },
  { path: patterns.admin.items, lazy: async () => (await import('@/features/admin/ItemsPage')).ItemsPage },
  { path: patterns.admin.itemEdit, lazy: async () => (await import('./AdminItemEdit')).AdminItemEdit, texts: ['owner'] },
  { path: patterns.admin.restaurants, lazy: async () => (await import('@/features/admin/RestaurantsPage')).RestaurantsPage },
  { path: `${patterns.admin.users}/*`, lazy: async () => (await import('@/features/admin/UsersPage')).UsersPage },
  { path: patterns.admin.reviews, lazy: async () => (await import('@/features/admin/ReviewsPage')).ReviewsPage },
  { path: patterns.admin.inquiries, lazy: async () => (await import('@/features/admin/InquiriesPage')).InquiriesPage },
  {
    path: patterns.admin.payments,
    lazy: async () => (await import('@/features/admin/PaymentsPage')).PaymentsPage,
    texts: ['refund'],
  },
  unknown,
]

/** Every page of the app. */
export const routes: readonly Route[] = [
  { path: patterns.home, Component: SiteShell, children: site },
  ...account,
  {
    path: patterns.owner.root,
    lazy: async () => (await import('./panels')).OwnerPanel,
    texts: ['owner', 'notifications'],
    role: 'restaurant',
    children: owner,
  },
  {
    path: patterns.driver.root,
    lazy: async () => (await import('./panels')).DriverPanel,
    texts: ['driver', 'notifications'],
    role: 'delivery',
    children: driver,
  },
  {
    path: patterns.admin.root,
    lazy: async () => (await import('./panels')).AdminPanel,
    texts: ['admin', 'notifications', 'table'],
    role: ['admin', 'operator'],
    children: [
      {
        path: patterns.operator.streams,
        lazy: async () => (await import('./OperatorConsole')).OperatorConsole,
        texts: ['operator', 'account'],
        role: 'operator',
        children: operator,
      },
      { path: patterns.admin.profile, ...staffProfile },
      // Operators who are no administrators see nothing else.
      { role: 'admin', children: admin },
    ],
  },
]
