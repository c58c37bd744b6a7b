import { type ComponentType, createElement, Suspense, use } from 'react'
import { matchRoutes, Navigate, Outlet, type RouteObject, useLocation, useRoutes } from 'react-router'

import { loadTexts } from '@/lib/texts'
import { Loading } from '@/ui/states'

import { ErrorBoundary } from './ErrorBoundary'
import { Guard } from './Guard'
import { type Route, routes } from './routes'

const components = new Map<Route, Promise<ComponentType>>()

/** Fetches a page's component and texts, once. A failure stays until the page is loaded again: a retry at each render would not end. */
function componentOf(route: Route): Promise<ComponentType> {
  const known = components.get(route)
  if (known !== undefined) return known
  const fetched = Promise.all([route.lazy?.() ?? route.Component ?? Outlet, ...(route.texts ?? []).map(loadTexts)])
  const component = fetched.then(([one]) => one)
  components.set(route, component)
  return component
}

function Page({ route }: { route: Route }) {
  return createElement(use(componentOf(route)))
}

function elementOf(route: Route) {
  if (route.redirect !== undefined) return <Navigate to={route.redirect()} replace />
  const page = <Page route={route} />
  return route.role === undefined ? page : <Guard role={route.role}>{page}</Guard>
}

/** A route in react-router's form; `handle` holds ours. */
function routeObject(route: Route): RouteObject {
  const element = elementOf(route)
  if (route.index) return { index: true, element, handle: route }
  return { path: route.path, element, handle: route, children: route.children?.map(routeObject) }
}

const routeObjects = routes.map(routeObject)

/** Fetches the page of an address: `files` resolves with its components and texts, `data` fetches its first answers. */
export function openPage({ pathname, search }: { pathname: string; search: string }) {
  const matches = matchRoutes(routeObjects, pathname) ?? []
  const found = matches.map(({ route, params }): { route: Route; params: typeof params } => ({ route: route.handle, params }))
  return {
    files: Promise.all(found.map(({ route }) => componentOf(route))),
    data: () =>
      Promise.all(found.flatMap(({ route, params }) => route.loader?.({ params, search: new URLSearchParams(search) }) ?? [])),
  }
}

/** The page of the address. */
export function Routes() {
  const { pathname } = useLocation()
  const shown = useRoutes(routeObjects)
  return (
    <ErrorBoundary at={pathname}>
      <Suspense fallback={<Loading />}>{shown}</Suspense>
    </ErrorBoundary>
  )
}
