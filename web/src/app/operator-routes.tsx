import { type RouteObject, useRoutes } from 'react-router'

import { ProofPrompt } from '@/features/account/two-step/ProofPrompt'
import { Console } from '@/features/operator/Console'

import { NotFound } from './NotFound'
import { page } from './page'

const pages: RouteObject[] = [
  { index: true, ...page([], async () => (await import('@/features/operator/StreamsPage')).StreamsPage) },
  { path: 'search', ...page([], async () => (await import('@/features/operator/EventsPage')).EventsPage) },
  { path: 'timeline', ...page([], async () => (await import('@/features/operator/FindOrderPage')).FindOrderPage) },
  { path: 'replays', ...page([], async () => (await import('@/features/operator/ReplaysPage')).ReplaysPage) },
  { path: 'models', ...page([], async () => (await import('@/features/operator/ModelsPage')).ModelsPage) },
  { path: 'dead', ...page([], async () => (await import('@/features/operator/DeadLettersPage')).DeadLettersPage) },
  { path: 'operations', ...page([], async () => (await import('@/features/operator/OperationsPage')).OperationsPage) },
  { path: 'timeline/:orderId', ...page([], async () => (await import('@/features/operator/timeline/TimelinePage')).TimelinePage) },
  { path: '*', element: <NotFound /> },
]

/** The console of the event history and its pages. What acts on it asks who is there. */
export function OperatorRoutes() {
  const shown = useRoutes([{ element: <Console />, children: pages }])
  return (
    <>
      <ProofPrompt />
      {shown}
    </>
  )
}
