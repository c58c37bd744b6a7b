import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import { itemsQuery } from '@/api/catalogue'
import { createItem } from '@/api/generated/sdk.gen'
import { messageOf } from '@/api/problem'
import { paths } from '@/lib/paths'
import { session } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { toast } from '@/ui/toast'

import { NoSelection } from './NoSelection'
import { useIdParam } from './use-id-param'
import { emptyItem, ItemForm, type ItemValues } from './ItemForm'

export function ItemAddPage() {
  const t = useTexts()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const restaurantId = useIdParam('restaurantId')
  const add = async (restaurant: string, { price, ...values }: ItemValues) => {
    if (session.token() === null) {
      toast.error(t('owner.loginFirst'))
      return
    }
    try {
      await createItem({ body: { ...values, price: Number(price), restaurantId: restaurant } })
      toast.success(t('owner.itemAdded'))
    } catch (error) {
      toast.error(messageOf(error, t('owner.itemAddFailed')))
      throw error
    }
    await queries.invalidateQueries({ queryKey: itemsQuery().queryKey })
    await navigate(paths.owner.restaurants())
  }
  return (
    <Page title={t('owner.addNewItem')} size="sm">
      {restaurantId === null ? (
        <NoSelection />
      ) : (
        <ItemForm
          initial={emptyItem}
          submitLabel={t('owner.add')}
          cancelTo={paths.owner.items(restaurantId)}
          onSave={(values) => add(restaurantId, values)}
        />
      )}
    </Page>
  )
}
