import { Navigate, type RouteObject, useRoutes } from 'react-router'

import { paths } from '@/lib/paths'

import { NotFound } from './NotFound'
import { page } from './page'
import { OwnerPanel } from './panels'

const pages: RouteObject[] = [
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
    path: 'restaurant/collection',
    ...page(['owner', 'table'], async () => (await import('@/features/owner/ItemsPage')).ItemsPage),
  },
  {
    path: 'restaurant/collection/add',
    ...page(['owner'], async () => (await import('@/features/owner/ItemAddPage')).ItemAddPage),
  },
  {
    path: 'restaurant/collection/update',
    ...page(['owner'], async () => (await import('@/features/owner/ItemUpdatePage')).ItemUpdatePage),
  },
  {
    path: 'review',
    ...page(['owner'], async () => (await import('@/features/owner/ReviewsPage')).ReviewsPage),
  },
  {
    path: 'figures',
    ...page(['owner'], async () => (await import('@/features/owner/FiguresPage')).FiguresPage),
  },
  {
    path: 'profile',
    ...page(['account'], async () => (await import('@/features/account/StaffProfilePage')).StaffProfilePage),
  },
  { path: '*', element: <NotFound /> },
]

/** The owners' panel and its pages. */
export function OwnerRoutes() {
  return useRoutes([{ element: <OwnerPanel />, children: pages }])
}
