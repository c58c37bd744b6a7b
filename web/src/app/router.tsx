import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'

import { paths } from '@/lib/paths'
import { Loading } from '@/ui/states'

import { ErrorPage } from './ErrorPage'
import { NotFound } from './NotFound'
import { onlyFor } from './only-for'
import { page } from './page'
import { SiteShell } from './SiteShell'

const site: RouteObject[] = [
  {
    index: true,
    ...page(['catalogue'], async () => (await import('@/features/catalogue/HomePage')).HomePage),
  },
  {
    path: 'restaurant',
    ...page(['catalogue'], async () => (await import('@/features/catalogue/RestaurantsPage')).RestaurantsPage),
  },
  {
    path: 'restaurant/:id',
    ...page(['catalogue'], async () => (await import('@/features/catalogue/RestaurantPage')).RestaurantPage),
  },
  {
    path: 'item',
    ...page(['catalogue'], async () => (await import('@/features/catalogue/ItemsPage')).ItemsPage),
  },
  {
    path: 'product/:key',
    ...page(['catalogue'], async () => (await import('@/features/catalogue/ProductPage')).ProductPage),
  },
  {
    path: 'cart',
    ...page(['checkout'], async () => (await import('@/features/checkout/CartPage')).CartPage),
  },
  {
    path: 'bookingconfirmation',
    ...page(['checkout'], async () => onlyFor('customer', (await import('@/features/checkout/ConfirmationPage')).ConfirmationPage)),
  },
  {
    path: 'payment',
    ...page(['checkout'], async () => onlyFor('customer', (await import('@/features/checkout/PaymentPage')).PaymentPage)),
  },
  {
    path: 'contact',
    ...page(['contact'], async () => (await import('@/features/contact/ContactPage')).ContactPage),
  },
  { path: 'profile', ...page(['account', 'tracking'], async () => (await import('./Profile')).Profile) },
  { path: 'menu', element: <Navigate to={paths.items()} replace /> },
  { path: 'order', element: <Navigate to={paths.profile()} replace /> },
  { path: '*', element: <NotFound /> },
]

const owner: RouteObject[] = [
  { index: true, element: <Navigate to={paths.owner.orders()} replace /> },
  {
    path: 'booking',
    ...page(['owner'], async () => (await import('@/features/owner/OwnerOrdersPage')).OwnerOrdersPage),
  },
  {
    path: 'restaurant',
    ...page(['owner'], async () => (await import('@/features/owner/OwnerRestaurantsPage')).OwnerRestaurantsPage),
  },
  {
    path: 'restaurant/add',
    ...page(['owner'], async () => (await import('@/features/owner/RestaurantAddPage')).RestaurantAddPage),
  },
  {
    path: 'restaurant/edit',
    ...page(['owner'], async () => (await import('@/features/owner/RestaurantEditPage')).RestaurantEditPage),
  },
  {
    path: 'restaurant/collection/add',
    ...page(['owner'], async () => (await import('@/features/owner/ItemAddPage')).ItemAddPage),
  },
  {
    path: 'restaurant/collection/update',
    ...page(['owner'], async () => (await import('@/features/owner/ItemUpdatePage')).ItemUpdatePage),
  },
  { path: '*', element: <NotFound /> },
]

const admin: RouteObject[] = [
  { index: true, element: <Navigate to={paths.admin.orders()} replace /> },
  {
    path: 'booking',
    ...page(['admin'], async () => (await import('@/features/admin/AdminOrdersPage')).AdminOrdersPage),
  },
  { path: '*', element: <NotFound /> },
]

const driver: RouteObject[] = [
  { index: true, element: <Navigate to={paths.driver.track()} replace /> },
  {
    path: 'available',
    ...page(['driver', 'account'], async () => (await import('./DriverAvailable')).DriverAvailable),
  },
  {
    path: 'track',
    ...page(['driver'], async () => (await import('@/features/driver/DriverTrackPage')).DriverTrackPage),
  },
  { path: '*', element: <NotFound /> },
]

/** The route table of the web app. */
export const router = createBrowserRouter([
  {
    errorElement: <ErrorPage />,
    HydrateFallback: Loading,
    children: [
      { path: '/', element: <SiteShell />, children: [{ errorElement: <ErrorPage />, children: site }] },
      {
        path: '/login',
        ...page(['account'], async () => (await import('@/features/account/LoginPage')).LoginPage),
      },
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
        path: '/restaurantC',
        ...page(['owner', 'notifications'], async () => (await import('./panels')).OwnerPanel),
        children: owner,
      },
      { path: '/driver', ...page(['driver', 'notifications'], async () => (await import('./panels')).DriverPanel), children: driver },
      { path: '/admin', ...page(['admin', 'notifications'], async () => (await import('./panels')).AdminPanel), children: admin },
    ],
  },
])
