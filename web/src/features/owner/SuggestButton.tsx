import { Button, Text } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'

import type { Order } from '@/api/generated/types.gen'
import { suggestionsQuery } from '@/api/suggestions'
import { useTexts } from '@/lib/texts'

import classes from './suggest.module.css'
import { doorText } from './suggestion'

interface Props {
  order: Order
  isDeclined: boolean
  onSuggest: () => void
}

/** Opens the suggestions for an order; after a refusal with the driver who declined it. */
export function SuggestButton({ order, isDeclined, onSuggest }: Props) {
  const t = useTexts()
  return (
    <>
      {isDeclined && <Declined order={order} />}
      <Button
        size="compact-xs"
        variant={isDeclined ? 'filled' : 'subtle'}
        className={classes.open ?? ''}
        leftSection={<IconSparkles size={14} aria-hidden />}
        aria-label={t('owner.suggestFor', { order: order.orderId })}
        onClick={onSuggest}
      >
        {t('owner.suggest')}
      </Button>
    </>
  )
}

/** The driver who declined an order, and the next one. */
function Declined({ order }: { order: Order }) {
  const t = useTexts()
  const { data } = useQuery(suggestionsQuery(order.orderId))
  const next = data?.drivers[0]
  return (
    <div role="status">
      <Text size="sm" c="var(--mantine-color-error)">
        {t('owner.declinedBy', { driver: order.driverName ?? t('owner.assignedDriver') })}
      </Text>
      {next !== undefined && <Text size="sm">{t('owner.nextDriver', { driver: next.firstName, door: doorText(next, t) })}</Text>}
    </div>
  )
}
