import { SimpleGrid } from '@mantine/core'

import type { ListRestaurantsResponses, Restaurant } from '@/api/generated/types.gen'
import { lists } from '@/api/lists'
import { useTexts } from '@/lib/texts'
import type { Column } from '@/ui/table/columns'

import { useList } from './use-list'
import { useListAddress } from './list-address'
import { Listing } from './Listing'
import { RestaurantCard } from './RestaurantCard'

/** Every restaurant as a card: verified, deleted, and the way to its items. */
export function RestaurantsPage() {
  const t = useTexts()
  const address = useListAddress()
  const columns: Column<Restaurant>[] = [
    { id: 'name', label: t('admin.name'), sortable: true, value: (one) => one.name, cell: (one) => one.name },
    { id: 'ownerName', label: t('admin.owner'), sortable: true, value: (one) => one.ownerName, cell: (one) => one.ownerName },
    { id: 'address', label: t('admin.address'), value: (one) => one.address, cell: (one) => one.address },
    { id: 'phone', label: t('admin.phone'), value: (one) => one.phone, cell: (one) => one.phone },
    { id: 'description', label: t('admin.description'), value: (one) => one.description, cell: (one) => one.description },
    {
      id: 'isOpen',
      label: t('admin.status'),
      sortable: true,
      value: (one) => (one.isOpen ? t('admin.open') : t('admin.closed')),
      cell: (one) => (one.isOpen ? t('admin.open') : t('admin.closed')),
    },
    {
      id: 'verified',
      label: t('admin.verified'),
      sortable: true,
      value: (one) => (one.verified ? t('admin.yes') : t('admin.no')),
      cell: (one) => (one.verified ? t('admin.yes') : t('admin.no')),
    },
  ]
  const verified = address.get('verified')
  const list = useList<ListRestaurantsResponses>({
    list: lists.restaurants,
    query: { q: address.q },
    sort: address.sort,
    columns,
    orders: { name: { up: 'name' } },
    clientFilter: verified === '' ? undefined : (one) => String(one.verified) === verified,
  })
  return (
    <Listing
      title={t('admin.restaurants')}
      list={list}
      address={address}
      columns={columns}
      filters={[
        {
          name: 'verified',
          label: t('admin.verified'),
          options: [
            { value: 'true', label: t('admin.yes') },
            { value: 'false', label: t('admin.no') },
          ],
        },
      ]}
      rowId={(one) => one._id}
      rowName={(one) => one.name}
      empty={t('admin.restaurantsEmpty')}
      file="restaurants"
    >
      {(rows) => (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3, xl: 4 }} spacing="md">
          {rows.map((restaurant) => (
            <RestaurantCard key={restaurant._id} restaurant={restaurant} />
          ))}
        </SimpleGrid>
      )}
    </Listing>
  )
}
