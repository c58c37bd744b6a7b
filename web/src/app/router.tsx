import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'

import { paths } from '@/lib/paths'
import { Loading } from '@/ui/states'

import { ErrorPage } from './ErrorPage'
import { NotFound } from './NotFound'
import { SiteShell } from './SiteShell'

const site: RouteObject[] = [
  {
    index: true,
    lazy: async () => ({ Component: (await import('@/features/catalogue/HomePage')).HomePage }),
  },
  {
    path: 'restaurant',
    lazy: async () => ({ Component: (await import('@/features/catalogue/RestaurantsPage')).RestaurantsPage }),
  },
  {
    path: 'restaurant/:id',
    lazy: async () => ({ Component: (await import('@/features/catalogue/RestaurantPage')).RestaurantPage }),
  },
  {
    path: 'item',
    lazy: async () => ({ Component: (await import('@/features/catalogue/ItemsPage')).ItemsPage }),
  },
  {
    path: 'product/:key',
    lazy: async () => ({ Component: (await import('@/features/catalogue/ProductPage')).ProductPage }),
  },
  {
    path: 'cart',
    lazy: async () => ({ Component: (await import('@/features/checkout/CartPage')).CartPage }),
  },
  { path: 'bookingconfirmation', lazy: async () => ({ Component: (await import('./Confirmation')).Confirmation }) },
  { path: 'profile', lazy: async () => ({ Component: (await import('./Profile')).Profile }) },
  { path: 'menu', element: <Navigate to={paths.items()} replace /> },
  { path: 'order', element: <Navigate to={paths.profile()} replace /> },
  { path: '*', element: <NotFound /> },
]

const owner: RouteObject[] = [
  { index: true, element: <Navigate to={paths.owner.orders()} replace /> },
  {
    path: 'booking',
    lazy: async () => ({ Component: (await import('@/features/owner/OwnerOrdersPage')).OwnerOrdersPage }),
  },
  {
    path: 'restaurant',
    lazy: async () => ({ Component: (await import('@/features/owner/OwnerRestaurantsPage')).OwnerRestaurantsPage }),
  },
  { path: '*', element: <NotFound /> },
]

const admin: RouteObject[] = [
  { index: true, element: <Navigate to={paths.admin.orders()} replace /> },
  {
    path: 'booking',
    lazy: async () => ({ Component: (await import('@/features/admin/AdminOrdersPage')).AdminOrdersPage }),
  },
  { path: '*', element: <NotFound /> },
]

const driver: RouteObject[] = [
  { index: true, element: <Navigate to={paths.driver.track()} replace /> },
  {
    path: 'available',
    lazy: async () => ({ Component: (await import('@/features/driver/DriverAvailablePage')).DriverAvailablePage }),
  },
  {
    path: 'track',
    lazy: async () => ({ Component: (await import('@/features/driver/DriverTrackPage')).DriverTrackPage }),
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
        lazy: async () => ({ Component: (await import('@/features/account/LoginPage')).LoginPage }),
      },
      {
        path: '/register',
        lazy: async () => ({ Component: (await import('@/features/account/sign-up-pages')).RegisterPage }),
      },
      {
        path: '/restaurant-signup',
        lazy: async () => ({ Component: (await import('@/features/account/sign-up-pages')).RestaurantSignupPage }),
      },
      {
        path: '/driver-signup',
        lazy: async () => ({ Component: (await import('@/features/account/sign-up-pages')).DriverSignupPage }),
      },
      {
        path: '/verify-email',
        lazy: async () => ({ Component: (await import('@/features/account/VerifyEmailPage')).VerifyEmailPage }),
      },
      {
        path: '/restaurantC',
        lazy: async () => ({ Component: (await import('./panels')).OwnerPanel }),
        children: owner,
      },
      { path: '/driver', lazy: async () => ({ Component: (await import('./panels')).DriverPanel }), children: driver },
      { path: '/admin', lazy: async () => ({ Component: (await import('./panels')).AdminPanel }), children: admin },
    ],
  },
])
