import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import { restaurantsQuery } from '@/api/catalogue'
import { createRestaurant } from '@/api/generated/sdk.gen'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { toast } from '@/ui/toast'

import { emptyRestaurant, RestaurantForm, type RestaurantValues } from './RestaurantForm'

export function RestaurantAddPage() {
  const t = useTexts()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const add = async (body: RestaurantValues) => {
    try {
      await createRestaurant({ body })
      toast.success(t('owner.restaurantAdded'))
    } catch (error) {
      toast.error(t('owner.restaurantAddFailed'))
      throw error
    }
    await queries.invalidateQueries({ queryKey: restaurantsQuery().queryKey })
    await navigate(paths.owner.restaurants())
  }
  return (
    <Page title={t('owner.addRestaurant')} size="sm">
      <RestaurantForm initial={emptyRestaurant} submitLabel={t('owner.add')} onSave={add} />
    </Page>
  )
}
