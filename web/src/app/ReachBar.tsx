import { IconPlugConnectedX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import { useReach } from '@/lib/reach'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

import classes from './ReachBar.module.css'

/** Says when the platform cannot be reached; once it can, everything on the page is asked for again. */
export function ReachBar() {
  const t = useTexts()
  const queries = useQueryClient()
  const reach = useReach()
  const before = useRef(reach)

  useEffect(() => {
    const was = before.current
    before.current = reach
    if (reach !== 'reached' || was === 'reached') return
    toast.success(t('app.backOnline'))
    void queries.invalidateQueries()
  }, [reach, queries, t])

  return (
    <div role="status" className={classes.bar} data-reach={reach}>
      {reach !== 'reached' && (
        <p>
          <IconPlugConnectedX size={18} aria-hidden />
          {t(reach === 'offline' ? 'app.offline' : 'app.serverAway')}
        </p>
      )}
    </div>
  )
}
