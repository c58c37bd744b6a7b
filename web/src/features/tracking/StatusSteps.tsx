import { IconBike, IconCheck, IconHomeCheck, IconToolsKitchen2 } from '@tabler/icons-react'

import type { DeliveryStatus } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'
import { statusLabel } from '@/ui/StatusBadge'

import classes from './tracking.module.css'

const steps: { status: DeliveryStatus; Icon: typeof IconBike }[] = [
  { status: 'picked up', Icon: IconToolsKitchen2 },
  { status: 'on the way', Icon: IconBike },
  { status: 'delivered', Icon: IconHomeCheck },
]

/** The progress of the delivery: Assigned, On the way, Delivered. */
export function StatusSteps({ status }: { status: DeliveryStatus }) {
  const t = useTexts()
  const current = steps.findIndex((step) => step.status === status)
  return (
    <ol className={classes.steps} aria-label={t('tracking.deliveryStatus')} data-testid="delivery-steps" data-status={status}>
      {steps.map(({ status: step, Icon }, index) => {
        const done = index < current || status === 'delivered'
        return (
          <li
            key={step}
            className={classes.step}
            data-state={done ? 'done' : index === current ? 'current' : 'ahead'}
            aria-current={index === current ? 'step' : undefined}
          >
            <span className={classes.bullet} aria-hidden="true">
              {done && index < current ? <IconCheck size={17} stroke={2.6} /> : <Icon size={18} stroke={1.9} />}
            </span>
            <span className={classes.stepLabel}>{statusLabel(step)}</span>
          </li>
        )
      })}
    </ol>
  )
}
