import { SegmentedControl } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useRef } from 'react'
import { NavLink, Outlet, useLocation, useNavigate } from 'react-router'

import { OPERATOR } from '@/api/operator'
import { useTopic } from '@/lib/live/hooks'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { Loading } from '@/ui/states'

import { Alerts } from './Alerts'
import classes from './console.module.css'
import { setZone, useZone, ZONES } from './time-zone'

const TABS = [
  { to: paths.operator.streams(), label: 'operator.streams' },
  { to: paths.operator.events(), label: 'operator.events' },
  { to: paths.operator.timeline(), label: 'operator.timeline' },
  { to: paths.operator.replays(), label: 'operator.replays' },
  { to: paths.operator.models(), label: 'operator.models' },
  { to: paths.operator.deadLetters(), label: 'operator.deadLetters' },
  { to: paths.operator.operations(), label: 'operator.operations' },
  { to: paths.operator.capacity(), label: 'operator.capacity' },
] as const

/** The console of the event history: its pages side by side, each also at Alt and a digit. */
export function Console() {
  const t = useTexts()
  const zone = useZone()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { pathname } = useLocation()
  const tabs = useRef<HTMLElement>(null)
  // On a phone the tabs are scrolled; the page's own is brought into sight.
  useEffect(() => {
    tabs.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [pathname])
  useHotkeys(TABS.map(({ to }, at) => [`alt+${String(at + 1)}`, () => void navigate(to)]))
  // The reader's own operations publish events, which arrive here. The pages poll for
  // operations of others.
  useTopic('me', (frame) => {
    const isOperation = frame.type === 'event' && frame.event.type.startsWith('tiffin.operation.')
    if (isOperation) void queries.invalidateQueries({ queryKey: OPERATOR })
  })
  return (
    <>
      <div className={classes.bar}>
        <nav ref={tabs} className={classes.tabs} aria-label={t('operator.console')}>
          {TABS.map(({ to, label }, at) => (
            <NavLink
              key={to}
              to={to}
              end={to === paths.operator.streams()}
              className={classes.tab ?? ''}
              aria-keyshortcuts={`Alt+${String(at + 1)}`}
              title={t('operator.shortcut', { keys: `Alt+${String(at + 1)}` })}
            >
              {t(label)}
            </NavLink>
          ))}
        </nav>
        <SegmentedControl
          size="xs"
          className={classes.zone ?? ''}
          aria-label={t('operator.times')}
          value={zone}
          data={ZONES.map((one) => ({ value: one, label: t(one === 'utc' ? 'operator.timesUtc' : 'operator.timesLocal') }))}
          onChange={(value) => {
            setZone(ZONES.find((one) => one === value) ?? 'local')
          }}
        />
      </div>
      <Alerts />
      <Suspense fallback={<Loading />}>
        {/* Pages write their times as they are drawn, so another zone draws them again. */}
        <Outlet key={zone} />
      </Suspense>
    </>
  )
}
