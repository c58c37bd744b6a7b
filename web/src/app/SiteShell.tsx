import { Suspense } from 'react'
import { Outlet, useLocation } from 'react-router'

import { useTexts } from '@/lib/texts'
import { Languages } from '@/ui/Languages'
import { Loading } from '@/ui/states'

import { ErrorBoundary } from './ErrorBoundary'
import { Header } from './Header'
import classes from './SiteShell.module.css'

/** The frame of the customer site. */
export function SiteShell() {
  const t = useTexts()
  const { pathname } = useLocation()
  return (
    <div className={classes.frame}>
      <a className="skip-link" href="#content">
        {t('app.skipToContent')}
      </a>
      <Header />
      <main id="content" className={classes.content} tabIndex={-1}>
        <ErrorBoundary at={pathname}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <footer className={classes.footer}>
        <p>{t('app.footer')}</p>
        <Languages />
      </footer>
    </div>
  )
}
