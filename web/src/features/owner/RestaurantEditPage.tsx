import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import { restaurantQuery, restaurantsQuery } from '@/api/catalogue'
import { updateRestaurant } from '@/api/generated/sdk.gen'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Failure, Loading } from '@/ui/states'
import { toast } from '@/ui/toast'

import { NoSelection } from './NoSelection'
import { useIdParam } from './use-id-param'
import { RestaurantForm, type RestaurantValues } from './RestaurantForm'

export function RestaurantEditPage() {
  const t = useTexts()
  const id = useIdParam('id')
  return (
    <Page title={t('owner.editRestaurant')} size="sm">
      {id === null ? <NoSelection /> : <Edit key={id} id={id} />}
    </Page>
  )
}

function Edit({ id }: { id: string }) {
  const t = useTexts()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(restaurantQuery(id))
  const save = async (body: RestaurantValues) => {
    try {
      await updateRestaurant({ path: { id }, body })
      toast.success(t('owner.restaurantUpdated'))
    } catch (cause) {
      toast.error(t('owner.updateFailed'))
      throw cause
    }
    await queries.invalidateQueries({ queryKey: restaurantsQuery().queryKey })
    await navigate(paths.owner.restaurants())
  }
  if (data === undefined) {
    return error === null ? <Loading /> : <Failure message={t('owner.restaurantFailed')} retry={() => void refetch()} />
  }
  const { name, address, phone, description, images, lat, lng, answerMinutes = null } = data
  return (
    <RestaurantForm
      initial={{ name, address, phone, description, images, lat, lng, answerMinutes }}
      submitLabel={t('owner.update')}
      onSave={save}
    />
  )
}
