import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import * as v from 'valibot'

import { restaurantQuery, restaurantsQuery } from '@/api/catalogue'
import type { Item, ListItemsOfResponses } from '@/api/generated/types.gen'
import { lists } from '@/api/lists'
import { moneyText } from '@/lib/format'
import { type TextId, useTexts } from '@/lib/texts'
import { Picture } from '@/ui/Picture'
import type { Column } from '@/ui/table/columns'

import classes from './admin.module.css'
import { StockBadge } from './badges'
import { ItemActions } from './ItemActions'
import { useList } from './use-list'
import { type ListAddress, useListAddress } from './list-address'
import { Listing } from './Listing'

/** The restaurant of the items: from the page that led here, or from the address. */
const stateSchema = v.fallback(v.object({ restaurantId: v.optional(v.string()), category: v.optional(v.string()) }), {})

const categories = {
  fastfood: 'admin.categoryFastfood',
  familymeals: 'admin.categoryFamilymeals',
  dessert: 'admin.categoryDessert',
} satisfies Record<Item['category'], TextId>

/** The items of a restaurant, of a category, or all: approved, deleted, edited. */
export function ItemsPage() {
  const t = useTexts()
  const address = useListAddress()
  const scope = useItemsScope(address)
  const columns: Column<Item>[] = [
    { id: 'itemId', label: t('admin.itemId'), value: (item) => item.itemId, cell: (item) => <span className={classes.code}>{item.itemId}</span> },
    {
      id: 'image',
      label: t('admin.image'),
      slot: 'picture',
      cell: (item) => <Picture src={item.images[0]} alt="" kind="dish" width={56} height={44} />,
    },
    {
      id: 'name',
      label: t('admin.name'),
      slot: 'heading',
      sortable: true,
      value: (item) => item.name,
      cell: (item) => (
        <>
          {item.name}
          {scope.isOfAll && <RestaurantName id={item.restaurantId} />}
        </>
      ),
    },
    {
      id: 'price',
      label: t('admin.price'),
      sortable: true,
      end: true,
      value: (item) => item.price,
      cell: (item) => moneyText(item.price),
    },
    {
      id: 'category',
      label: t('admin.category'),
      sortable: true,
      value: (item) => t(categories[item.category]),
      cell: (item) => t(categories[item.category]),
    },
    { id: 'description', label: t('admin.description'), value: (item) => item.description, cell: (item) => item.description },
    {
      id: 'available',
      label: t('admin.available'),
      sortable: true,
      value: (item) => (item.available ? t('admin.inStock') : t('admin.outOfStock')),
      cell: (item) => <StockBadge available={item.available} />,
    },
    {
      id: 'actions',
      label: t('admin.actions'),
      slot: 'foot',
      cell: (item, on) => <ItemActions item={item} canEdit={on === 'card'} />,
    },
  ]
  const list = useList<ListItemsOfResponses>({
    list: scope.list,
    query: { q: address.q, category: scope.category, approve: address.get('approve') },
    sort: address.sort,
    columns,
    orders: { name: { up: 'name' }, price: { up: 'price' } },
  })
  return (
    <Listing
      title={t('admin.items')}
      lead={scope.lead}
      list={list}
      address={address}
      columns={columns}
      filters={[
        {
          name: 'category',
          label: t('admin.category'),
          options: Object.entries(categories).map(([value, label]) => ({ value, label: t(label) })),
        },
        {
          name: 'approve',
          label: t('admin.approval'),
          options: [
            { value: 'true', label: t('admin.approved') },
            { value: 'false', label: t('admin.pending') },
          ],
        },
      ]}
      rowId={(item) => item._id}
      rowName={(item) => item.name}
      loading={t('admin.itemsLoading')}
      empty={t('admin.itemsEmpty')}
      file="items"
    />
  )
}

/** The restaurant of a dish, under its name. */
function RestaurantName({ id }: { id: string }) {
  const { data } = useQuery(restaurantsQuery())
  const name = data?.find(({ _id }) => _id === id)?.name
  return (
    name !== undefined && (
      <Text component="span" display="block" size="sm" fw={400} c="dimmed">
        {name}
      </Text>
    )
  )
}

function useItemsScope({ get }: ListAddress) {
  const t = useTexts()
  const { state } = useLocation()
  const passed = v.parse(stateSchema, state)
  const restaurantId = get('restaurantId') || (passed.restaurantId ?? '')
  const category = (get('category') || (passed.category ?? '')).toLowerCase()
  const restaurant = useQuery({ ...restaurantQuery(restaurantId), enabled: restaurantId !== '' })
  const scopeId = restaurantId || category
  const { key, url } = lists.items
  return {
    category,
    isOfAll: restaurantId === '',
    list: scopeId === '' ? lists.items : { key: [...key, 'of', scopeId], url: `${url}/getAll/${encodeURIComponent(scopeId)}` },
    lead: restaurantId === '' ? t('admin.itemsOfAll') : t('admin.itemsOf', { name: restaurant.data?.name ?? '…' }),
  }
}
