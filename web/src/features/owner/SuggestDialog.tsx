import { Alert, Button, Modal, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'

import { pickDriver } from '@/api/generated/sdk.gen'
import type { Driver, Order, SuggestedDriver } from '@/api/generated/types.gen'
import { messageOf } from '@/api/problem'
import { suggestionsQuery } from '@/api/suggestions'
import { useTexts } from '@/lib/texts'
import { Failure, Loading } from '@/ui/states'

import { holdDriver, isTaken } from './hold-driver'
import { distanceStep, driverName, useDriversFor } from './nearby-drivers'
import { doorText, reasonText } from './suggestion'
import classes from './suggest.module.css'

interface Props {
  /** Orders that go on one trip; at least one. */
  orders: [Order, ...Order[]]
  /** Confirms them with the picked driver. */
  onPick: (driverId: string) => void
  onClose: () => void
}

interface Choice {
  id: string
  name: string
  /** True to pick a driver whom another restaurant has picked meanwhile. */
  knowingly?: boolean
}

/** The drivers who would be at the door first, one touch away; the list by distance below. */
export function SuggestDialog({ orders, onPick, onClose }: Props) {
  const t = useTexts()
  const [first] = orders
  const { data, error, isFetching, refetch } = useQuery(suggestionsQuery(first.orderId))
  const drivers = useDriversFor(first)
  const pick = useMutation({
    mutationFn: async ({ id: driverId, knowingly = false }: Choice) => {
      if (data === undefined) {
        await holdDriver(orders, driverId, knowingly)
        return
      }
      const body = { driverId, knowingly, suggestedAt: data.suggestedAt }
      for (const { orderId } of orders) await pickDriver({ path: { id: orderId }, body })
    },
    onSuccess: (_, { id }) => {
      onPick(id)
      onClose()
    },
    onError: (cause) => {
      console.error(cause)
      // They have another order now.
      void refetch()
    },
  })
  const give = (choice: Choice) => {
    pick.mutate(choice)
  }
  const [best, ...others] = data?.drivers ?? []
  const taken = isTaken(pick.error) ? pick.variables : undefined

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('owner.driversFor', { order: first.orderId })}
      centered
      radius="lg"
      closeButtonProps={{ 'aria-label': t('app.close') }}
      // The dialog's heading must not count as a second heading of the page.
      attributes={{ header: { role: 'presentation' } }}
    >
      <Stack gap="md">
        {taken !== undefined && (
          <Alert color="amber" icon={<IconAlertTriangle size={18} />} role="alert">
            <Stack gap="xs" align="start">
              <Text size="sm">{t('owner.takenMeanwhile', { driver: taken.name })}</Text>
              <Button size="xs" variant="default" loading={pick.isPending} onClick={() => { give({ ...taken, knowingly: true }) }}>
                {t('owner.giveAnyway', { driver: taken.name })}
              </Button>
            </Stack>
          </Alert>
        )}
        {pick.error !== null && taken === undefined && <Failure message={messageOf(pick.error, t('owner.suggestFailed'))} />}
        {error !== null && <Failure message={messageOf(error, t('owner.suggestFailed'))} retry={() => void refetch()} />}
        {data === undefined && isFetching && <Loading />}
        {data !== undefined && best === undefined && <Text>{t('owner.noSuggestion')}</Text>}
        {best !== undefined && <Best driver={best} busy={pick.isPending} onGive={give} />}
        {others.length > 0 && (
          <div role="group" aria-label={t('owner.suggestedNext')}>
            <Text className={classes.heading ?? ''}>{t('owner.suggestedNext')}</Text>
            {others.map((driver) => (
              <Row
                key={driver.driverId}
                name={driver.firstName}
                detail={`${doorText(driver, t)} · ${reasonText(driver, t)}`}
                busy={pick.isPending}
                onGive={() => { give({ id: driver.driverId, name: driver.firstName }) }}
              />
            ))}
          </div>
        )}
        {drivers.length > 0 && (
          <div role="group" aria-label={t('owner.driversByDistance')}>
            <Text className={classes.heading ?? ''}>{t('owner.driversByDistance')}</Text>
            {drivers.map((driver) => (
              <Row
                key={driver._id}
                name={driverName(driver)}
                detail={distanceText(driver, t)}
                busy={pick.isPending}
                onGive={() => { give({ id: driver._id, name: driverName(driver) }) }}
              />
            ))}
          </div>
        )}
      </Stack>
    </Modal>
  )
}

interface BestProps {
  driver: SuggestedDriver
  busy: boolean
  onGive: (choice: Choice) => void
}

function Best({ driver, busy, onGive }: BestProps) {
  const t = useTexts()
  return (
    <section className={classes.best} aria-label={t('owner.suggestedFirst')}>
      <Text className={classes.heading ?? ''}>{t('owner.suggestedFirst')}</Text>
      <Text fw={700} size="lg">
        {t('owner.driverWith', { driver: driver.firstName, vehicle: t(`owner.vehicle${driver.vehicleType}`) })}
      </Text>
      <Text fw={600}>{doorText(driver, t)}</Text>
      <Text size="sm" c="dimmed" mb="sm">
        {reasonText(driver, t)}
      </Text>
      <Button fullWidth loading={busy} data-autofocus onClick={() => { onGive({ id: driver.driverId, name: driver.firstName }) }}>
        {t('owner.giveTo', { driver: driver.firstName })}
      </Button>
    </section>
  )
}

interface RowProps {
  name: string
  detail: string
  busy: boolean
  onGive: () => void
}

function Row({ name, detail, busy, onGive }: RowProps) {
  const t = useTexts()
  return (
    <div className={classes.row}>
      <div>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed">
          {detail}
        </Text>
      </div>
      <Button size="xs" variant="default" disabled={busy} onClick={onGive}>
        {t('owner.giveTo', { driver: name })}
      </Button>
    </div>
  )
}

function distanceText(driver: Driver, t: ReturnType<typeof useTexts>): string {
  const vehicle = t(`owner.vehicle${driver.vehicleType}`)
  return driver.distance == null ? vehicle : `${vehicle} · ${t(`owner.away${distanceStep(driver.distance)}`)}`
}
