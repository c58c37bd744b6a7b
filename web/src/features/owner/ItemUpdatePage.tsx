import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import { itemQuery, itemsQuery } from '@/api/catalogue'
import { updateItem } from '@/api/generated/sdk.gen'
import { messageOf } from '@/api/problem'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Failure, Loading } from '@/ui/states'
import { toast } from '@/ui/toast'

import { NoSelection } from './NoSelection'
import { useIdParam } from './use-id-param'
import { ItemForm, type ItemValues } from './ItemForm'

interface ItemLinks {
  /** The page after an item is saved. */
  done: () => string
  /** The page that lists the items of its restaurant. */
  list: (restaurantId: string) => string
}

const ownerLinks: ItemLinks = { done: paths.owner.restaurants, list: paths.owner.items }

export function ItemUpdatePage() {
  return <ItemUpdate links={ownerLinks} />
}

/** An item's form, for its owner and for administrators. */
export function ItemUpdate({ links }: { links: ItemLinks }) {
  const t = useTexts()
  const id = useIdParam('id')
  return (
    <Page title={t('owner.updateItem')} size="sm">
      {id === null ? <NoSelection /> : <Update key={id} id={id} links={links} />}
    </Page>
  )
}

function Update({ id, links }: { id: string; links: ItemLinks }) {
  const t = useTexts()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(itemQuery(id))
  const save = async ({ price, ...values }: ItemValues) => {
    try {
      await updateItem({ path: { id }, body: { ...values, price: Number(price) } })
      toast.success(t('owner.itemUpdated'))
    } catch (cause) {
      toast.error(messageOf(cause, t('owner.itemUpdateFailed')))
      throw cause
    }
    await queries.invalidateQueries({ queryKey: itemsQuery().queryKey })
    await navigate(links.done())
  }
  if (data === undefined) {
    if (error === null) return <Loading />
    return <Failure message={messageOf(error, t('owner.failed'))} retry={() => void refetch()} />
  }
  const { name, price, category, description, available, images } = data
  return (
    <ItemForm
      initial={{ name, price: String(price), category, description, available, images }}
      itemId={data.itemId}
      submitLabel={t('owner.update')}
      cancelTo={links.list(data.restaurantId)}
      onSave={save}
    />
  )
}
