import { NativeSelect, SimpleGrid } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { restaurantsQuery } from '@/api/catalogue'
import { openRestaurant, pauseRestaurant, slowRestaurant } from '@/api/generated/sdk.gen'
import type { Restaurant } from '@/api/generated/types.gen'
import { messageOf } from '@/api/problem'
import { clockText } from '@/lib/format'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

/** The minutes that an owner may add to each order. */
const BUSY = [10, 20, 30]

/** Pauses a restaurant, or says that it is busy. Both end by themselves. */
export function PaceControls({ restaurant }: { restaurant: Restaurant }) {
  const t = useTexts()
  const queries = useQueryClient()
  const { _id: id, name, isOpen, pausedUntil, busyMinutes, busyUntil } = restaurant
  const save = useMutation({
    mutationFn: (change: () => Promise<unknown>) => change(),
    onSuccess: () => {
      toast.success(t('owner.paceSaved'))
    },
    onError: (error) => {
      toast.error(messageOf(error, t('owner.shopFailed')))
    },
    onSettled: () => queries.invalidateQueries({ queryKey: restaurantsQuery().queryKey }),
  })
  const isPaused = pausedUntil != null
  const pause = (chosen: string) => {
    save.mutate(() =>
      chosen === 'none'
        ? openRestaurant({ path: { id } })
        : pauseRestaurant({ path: { id }, body: chosen === 'tomorrow' ? {} : { minutes: Number(chosen) } }),
    )
  }
  const isBusy = busyMinutes != null
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
      <NativeSelect
        size="xs"
        label={t('owner.orderPause')}
        aria-label={t('owner.pauseOf', { name })}
        disabled={save.isPending || (!isOpen && !isPaused)}
        value={isPaused ? 'paused' : 'none'}
        data={[
          ...(isPaused ? [{ value: 'paused', label: t('app.pausedUntil', { time: clockText(pausedUntil) }) }] : []),
          { value: 'none', label: t('owner.notPaused') },
          { value: '30', label: t('owner.pauseFor30') },
          { value: '60', label: t('owner.pauseFor60') },
          { value: 'tomorrow', label: t('owner.pauseUntilTomorrow') },
        ]}
        onChange={(event) => {
          pause(event.currentTarget.value)
        }}
      />
      <NativeSelect
        size="xs"
        label={t('owner.kitchenPace')}
        aria-label={t('owner.busyOf', { name })}
        disabled={save.isPending}
        value={isBusy ? 'busy' : '0'}
        data={[
          ...(isBusy ? [{ value: 'busy', label: t('owner.busyUntil', { time: clockText(busyUntil), minutes: busyMinutes }) }] : []),
          { value: '0', label: t('owner.notBusy') },
          ...BUSY.map((minutes) => ({ value: String(minutes), label: t('owner.busyBy', { minutes }) })),
        ]}
        onChange={(event) => {
          const minutes = Number(event.currentTarget.value)
          save.mutate(() => slowRestaurant({ path: { id }, body: { minutes } }))
        }}
      />
    </SimpleGrid>
  )
}
