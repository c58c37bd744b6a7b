import { Suspense } from 'react'
import { matchRoutes, Navigate, type RouteObject, useLocation, useRoutes } from 'react-router'

import { paths } from '@/lib/paths'
import { Loading } from '@/ui/states'

import { ErrorBoundary } from './ErrorBoundary'
import { firstCalls } from './first-calls'
import { NotFound } from './NotFound'
import { withRole } from './with-role'
import { page } from './page'
import { SiteShell } from './SiteShell'

const site: RouteObject[] = [
  {
    index: true,
    ...page(['catalogue'], async () => (await import('@/features/catalogue/HomePage')).HomePage, firstCalls.home),
  },
  {
    path: 'restaurant',
    ...page(['catalogue'], async () => (await import('@/features/catalogue/RestaurantsPage')).RestaurantsPage),
  },
  {
    path: 'restaurant/:id',
    ...page(['catalogue'], async () => (await import('@/features/catalogue/RestaurantPage')).RestaurantPage, firstCalls.restaurant),
  },
  {
    path: 'item',
    ...page(['catalogue'], async () => (await import('@/features/catalogue/ItemsPage')).ItemsPage, firstCalls.items),
  },
  {
    path: 'product/:key',
    ...page(['catalogue'], async () => (await import('@/features/catalogue/ProductPage')).ProductPage, firstCalls.product),
  },
  {
    path: 'cart',
    ...page(['checkout'], async () => (await import('@/features/checkout/CartPage')).CartPage, firstCalls.cart),
  },
  {
    path: 'bookingconfirmation',
    ...page(['checkout'], async () => withRole('customer', (await import('@/features/checkout/ConfirmationPage')).ConfirmationPage)),
  },
  {
    path: 'payment',
    ...page(['checkout'], async () => withRole('customer', (await import('@/features/checkout/PaymentPage')).PaymentPage)),
  },
  {
    path: 'contact',
    ...page(['contact'], async () => (await import('@/features/contact/ContactPage')).ContactPage),
  },
  {
    path: 'location',
    ...page(['account'], async () => (await import('@/features/account/LocationPage')).LocationPage),
  },
  {
    path: 'track/:id',
    ...page(['tracking'], async () => withRole('customer', (await import('@/features/tracking/TrackPage')).TrackPage), firstCalls.track),
  },
  { path: 'profile', ...page(['account', 'tracking'], async () => (await import('./Profile')).Profile) },
  { path: 'testing', ...page([], async () => (await import('./TestingPage')).TestingPage) },
  { path: 'menu', element: <Navigate to={paths.items()} replace /> },
  { path: 'order', element: <Navigate to={paths.profile()} replace /> },
  { path: '*', element: <NotFound /> },
]

const routes: RouteObject[] = [
  { path: '/', element: <SiteShell />, children: site },
  { path: '/login', ...page(['account'], async () => (await import('@/features/account/LoginPage')).LoginPage) },
  {
    path: '/register',
    ...page(['account'], async () => (await import('@/features/account/sign-up-pages')).RegisterPage),
  },
  {
    path: '/restaurant-signup',
    ...page(['account'], async () => (await import('@/features/account/sign-up-pages')).RestaurantSignupPage),
  },
  {
    path: '/driver-signup',
    ...page(['account'], async () => (await import('@/features/account/sign-up-pages')).DriverSignupPage),
  },
  {
    path: '/verify-email',
    ...page(['account'], async () => (await import('@/features/account/VerifyEmailPage')).VerifyEmailPage),
  },
  {
    path: '/forgot-password',
    ...page(['account'], async () => (await import('@/features/account/ForgotPasswordPage')).ForgotPasswordPage),
  },
  {
    path: '/reset-password',
    ...page(['account'], async () => (await import('@/features/account/ResetPasswordPage')).ResetPasswordPage),
  },
  {
    path: '/two-step',
    ...page(['account'], async () => (await import('@/features/account/two-step/TwoStepPage')).TwoStepPage),
  },
  {
    path: '/restaurantC/*',
    ...page(['owner', 'notifications'], async () => (await import('./owner-routes')).OwnerRoutes),
  },
  {
    path: '/driver/*',
    ...page(['driver', 'notifications'], async () => (await import('./driver-routes')).DriverRoutes),
  },
  {
    path: '/admin/*',
    ...page(['admin', 'notifications', 'table'], async () => (await import('./admin-routes')).AdminRoutes),
  },
]

/** The page of an address ahead of showing it: `files` fetches what it is made of, `answers` what it shows first. */
export function openPage({ pathname, search }: Location) {
  const pages = matchRoutes(routes, pathname) ?? []
  return {
    files: async () => await Promise.all(pages.map(async ({ route }) => await route.handle?.fetch())),
    answers: async () =>
      await Promise.all(pages.flatMap(({ route, params }) => route.handle?.ask?.(params, new URLSearchParams(search)) ?? [])),
  }
}

/** The page of the address. */
export function Routes() {
  const { pathname } = useLocation()
  const shown = useRoutes(routes)
  return (
    <ErrorBoundary at={pathname}>
      <Suspense fallback={<Loading />}>{shown}</Suspense>
    </ErrorBoundary>
  )
}
