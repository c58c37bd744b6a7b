import { Navigate, type RouteObject, useRoutes } from 'react-router'

import { paths } from '@/lib/paths'
import { useSessionUser } from '@/lib/session'

import { NotFound } from './NotFound'
import { page } from './page'
import { AdminPanel } from './panels'

const history: RouteObject = {
  path: 'events/*',
  ...page(['operator', 'account'], async () => (await import('./operator-routes')).OperatorRoutes),
}
const profile: RouteObject = {
  path: 'profile',
  ...page(['account'], async () => (await import('@/features/account/StaffProfilePage')).StaffProfilePage),
}
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
  profile,
]
const unknown: RouteObject = { path: '*', element: <NotFound /> }
/** Administrators who don't operate the event history see none of it. */
const noHistory: RouteObject = { path: 'events/*', element: <Navigate to={paths.admin.root()} replace /> }
/** Operators who are no administrators see nothing else. */
const onlyHistory: RouteObject[] = [history, profile, { path: '*', element: <Navigate to={paths.operator.streams()} replace /> }]

function pagesOf(role: string | undefined, isOperator: boolean): RouteObject[] {
  if (role === 'operator') return onlyHistory
  return [...pages, isOperator ? history : noHistory, unknown]
}

/** The administrators' panel and its pages, and the operators'. */
export function AdminRoutes() {
  const user = useSessionUser()
  return useRoutes([{ element: <AdminPanel />, children: pagesOf(user?.role, user?.isOperator === true) }])
}
