import { IconPlugConnected, IconPlugConnectedX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'

import { useLiveState } from '@/lib/live/hooks'
import { useTexts } from '@/lib/texts'

import classes from './tracking.module.css'

/** The time that the banner of a restored connection stays, in milliseconds. */
const BACK_ONLINE_DURATION = 4000

/** Says when the live connection is lost, and when it is back. */
export function ConnectionBanner() {
  const t = useTexts()
  const state = useLiveState()
  const [wasLost, setWasLost] = useState(false)
  if (state === 'lost' && !wasLost) setWasLost(true)
  const back = wasLost && state === 'live'

  useEffect(() => {
    if (!back) return
    const timer = setTimeout(() => {
      setWasLost(false)
    }, BACK_ONLINE_DURATION)
    return () => {
      clearTimeout(timer)
    }
  }, [back])

  return (
    <div role="status" data-testid="connection" data-state={state}>
      {state !== 'live' && wasLost && (
        <p className={classes.banner} data-kind="lost">
          <IconPlugConnectedX size={18} aria-hidden="true" />
          {t('tracking.connectionLost')}
        </p>
      )}
      {back && (
        <p className={classes.banner} data-kind="back">
          <IconPlugConnected size={18} aria-hidden="true" />
          {t('tracking.connectedAgain')}
        </p>
      )}
    </div>
  )
}
