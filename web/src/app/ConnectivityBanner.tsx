import { IconPlugConnectedX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import { useConnectivity } from '@/lib/connectivity'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

import classes from './ConnectivityBanner.module.css'

/** A banner while the platform cannot be reached; once it can, all queries of the page are fetched again. */
export function ConnectivityBanner() {
  const t = useTexts()
  const queries = useQueryClient()
  const connectivity = useConnectivity()
  const before = useRef(connectivity)

  useEffect(() => {
    const was = before.current
    before.current = connectivity
    if (connectivity !== 'reached' || was === 'reached') return
    toast.success(t('app.backOnline'))
    void queries.invalidateQueries()
  }, [connectivity, queries, t])

  return (
    <div role="status" className={classes.banner} data-reach={connectivity}>
      {connectivity !== 'reached' && (
        <p>
          <IconPlugConnectedX size={18} aria-hidden />
          {t(connectivity === 'offline' ? 'app.offline' : 'app.serverAway')}
        </p>
      )}
    </div>
  )
}
