import { Navigate, type RouteObject, useRoutes } from 'react-router'

import { paths } from '@/lib/paths'

import { NotFound } from './NotFound'
import { page } from './page'
import { DriverPanel } from './panels'

const pages: RouteObject[] = [
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

/** The drivers' panel and its pages. */
export function DriverRoutes() {
  return useRoutes([{ element: <DriverPanel />, children: pages }])
}
