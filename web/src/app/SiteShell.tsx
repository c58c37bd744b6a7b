import { Suspense } from 'react'
import { Outlet, ScrollRestoration } from 'react-router'

import { useTexts } from '@/lib/texts'
import { Languages } from '@/ui/Languages'
import { Loading } from '@/ui/states'

import { Header } from './Header'
import classes from './SiteShell.module.css'

/** The frame of the customer site. */
export function SiteShell() {
  const t = useTexts()
  return (
    <div className={classes.frame}>
      <a className="skip-link" href="#content">
        {t('app.skipToContent')}
      </a>
      <Header />
      <main id="content" className={classes.content} tabIndex={-1}>
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
      <footer className={classes.footer}>
        <p>{t('app.footer')}</p>
        <Languages />
      </footer>
      <ScrollRestoration />
    </div>
  )
}
