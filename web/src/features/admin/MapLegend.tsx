import { useComputedColorScheme } from '@mantine/core'

import { useTexts } from '@/lib/texts'
import { fleetColours } from '@/ui/map/palette'
import { statusLabel } from '@/ui/StatusBadge'

import { kinds } from './deliveries-on-map'
import classes from './dashboard.module.css'

const STATUSES = ['picked up', 'on the way'] as const

/** The colours of the map's markers. */
export function MapLegend() {
  const t = useTexts()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  return (
    <ul className={classes.legend} aria-label={t('admin.legend')}>
      {STATUSES.map((status) => (
        <li key={status} data-status={status}>
          <i style={{ background: fleetColours[scheme].kinds[kinds[status]] }} />
          {statusLabel(status)}
        </li>
      ))}
    </ul>
  )
}
