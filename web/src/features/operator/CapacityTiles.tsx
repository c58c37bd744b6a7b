import type { Capacity } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'
import { Tile, Tiles } from '@/ui/Tiles'

import { urgencyOf } from './capacity'
import { FillBar } from './FillBar'
import { bytesText, durationText, rateText } from './format'

/** The pace of the event log, or the size at which it stays because the archive takes its oldest months. */
function eventLogText(t: ReturnType<typeof useTexts>, { bytesADay, settlesAt }: Capacity['eventLog']): string {
  if (settlesAt != null) return t('operator.settlesAt', { size: bytesText(settlesAt) })
  return bytesADay == null ? t('operator.noPaceYet') : t('operator.growsADay', { size: bytesText(bytesADay) })
}

/** The cost of an order, the broker's disk, the event log and the time of the paces. */
export function CapacityTiles({ capacity, now }: { capacity: Capacity; now: number }) {
  const t = useTexts()
  const { order, broker, eventLog, window } = capacity
  const urgency = urgencyOf(broker.fullAt, now)
  return (
    <Tiles>
      <Tile label={t('operator.anOrder')} value={order == null ? '–' : bytesText(order.bytes)}>
        {order == null ? t('operator.noOrders') : t('operator.anOrderOf', { events: rateText(order.events), count: order.placed })}
      </Tile>
      <Tile label={t('operator.brokerDisk')} value={bytesText(broker.bytes)} alarm={urgency === 'full' || urgency === 'verySoon'}>
        <FillBar name={t('operator.brokerDisk')} {...broker} urgency={urgency} />
      </Tile>
      <Tile label={t('operator.eventLog')} value={bytesText(eventLog.bytes)}>
        {eventLogText(t, eventLog)}
      </Tile>
      <Tile label={t('operator.paceOf')} value={durationText(window.days * 86_400)}>
        {window.isWhole ? t('operator.paceOfWeek') : t('operator.paceOfAge')}
      </Tile>
    </Tiles>
  )
}
