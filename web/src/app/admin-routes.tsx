import { type RouteObject, useRoutes } from 'react-router'

import { NotFound } from './NotFound'
import { page } from './page'
import { AdminPanel } from './panels'

const pages: RouteObject[] = [
  { index: true, ...page([], async () => (await import('@/features/admin/DashboardPage')).DashboardPage) },
  { path: 'booking', ...page([], async () => (await import('@/features/admin/AdminOrdersPage')).AdminOrdersPage) },
  { path: 'item', ...page([], async () => (await import('@/features/admin/ItemsPage')).ItemsPage) },
  { path: 'item/edit', ...page(['owner'], async () => (await import('./AdminItemEdit')).AdminItemEdit) },
  { path: 'package', ...page([], async () => (await import('@/features/admin/RestaurantsPage')).RestaurantsPage) },
  { path: 'user/*', ...page([], async () => (await import('@/features/admin/UsersPage')).UsersPage) },
  { path: 'review', ...page([], async () => (await import('@/features/admin/ReviewsPage')).ReviewsPage) },
  { path: 'inquiry', ...page([], async () => (await import('@/features/admin/InquiriesPage')).InquiriesPage) },
  { path: 'payment', ...page([], async () => (await import('@/features/admin/PaymentsPage')).PaymentsPage) },
  { path: 'events/*', ...page(['operator'], async () => (await import('./operator-routes')).OperatorRoutes) },
  {
    path: 'profile',
    ...page(['account'], async () => (await import('@/features/account/StaffProfilePage')).StaffProfilePage),
  },
  { path: '*', element: <NotFound /> },
]

/** The administrators' panel and its pages. */
export function AdminRoutes() {
  return useRoutes([{ element: <AdminPanel />, children: pages }])
}
