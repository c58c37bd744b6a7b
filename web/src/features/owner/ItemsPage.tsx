import { Badge, Button, Group, Switch, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import { itemsOfQuery, restaurantQuery } from '@/api/catalogue'
import type { Item } from '@/api/generated/types.gen'
import { messageOf } from '@/api/problem'
import { moneyText } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Picture } from '@/ui/Picture'
import { Empty, Failure, Loading } from '@/ui/states'
import { type Column, type Sort, sortRows } from '@/ui/table/columns'
import { DataTable } from '@/ui/table/DataTable'

import { NoSelection } from './NoSelection'
import { useIdParam } from './use-id-param'
import { useItemChanges } from './item-changes'
import classes from './owner.module.css'

/** The menu of one restaurant. */
export function ItemsPage() {
  const t = useTexts()
  const restaurantId = useIdParam('restaurantId')
  if (restaurantId === null) {
    return (
      <Page title={t('owner.items')}>
        <NoSelection />
      </Page>
    )
  }
  return <Menu key={restaurantId} restaurantId={restaurantId} />
}

function Menu({ restaurantId }: { restaurantId: string }) {
  const t = useTexts()
  const restaurant = useQuery(restaurantQuery(restaurantId))
  const { data, error, isPending, refetch } = useQuery(itemsOfQuery(restaurantId))
  const [sort, setSort] = useState<Sort | null>(null)
  const columns = useColumns(restaurantId)
  return (
    <Page
      title={t('owner.items')}
      size="xl"
      lead={restaurant.data?.name ?? ''}
      aside={
        <Button
          component={Link}
          to={paths.owner.newItem(restaurantId)}
          state={{ restaurantId }}
          leftSection={<IconPlus size={18} />}
        >
          {t('owner.addNewItem')}
        </Button>
      }
    >
      {isPending && <Loading />}
      {error !== null && <Failure message={messageOf(error, t('owner.failed'))} retry={() => void refetch()} />}
      {data?.length === 0 && <Empty text={t('owner.noItems')} art="empty-list" hint={t('owner.noItemsHint')} />}
      {data !== undefined && data.length > 0 && (
        <DataTable
          label={t('owner.items')}
          columns={columns}
          rows={sortRows(data, columns, sort)}
          rowId={({ _id }) => _id}
          rowName={({ name }) => name}
          sort={sort}
          onSort={setSort}
        />
      )}
    </Page>
  )
}

function useColumns(restaurantId: string): Column<Item>[] {
  const t = useTexts()
  const { setAvailable, remove } = useItemChanges(restaurantId)
  return [
    {
      id: 'image',
      label: t('owner.image'),
      slot: 'picture',
      cell: ({ images }) => <Picture src={images[0]} alt="" kind="dish" width={72} height={54} />,
    },
    {
      id: 'name',
      label: t('owner.name'),
      slot: 'heading',
      sortable: true,
      value: ({ name }) => name,
      cell: ({ name, itemId, approve }) => (
        <>
          <Text fw={600}>{name}</Text>
          <Group gap={6}>
            <Text span className={classes.code}>
              {itemId}
            </Text>
            <Badge variant="light" size="sm" color={approve ? 'leaf' : 'amber'}>
              {approve ? t('owner.approved') : t('owner.awaitsApproval')}
            </Badge>
          </Group>
        </>
      ),
    },
    {
      id: 'price',
      label: t('owner.price'),
      sortable: true,
      end: true,
      value: ({ price }) => price,
      cell: ({ price }) => <span className={classes.compact}>{moneyText(price)}</span>,
    },
    {
      id: 'category',
      label: t('owner.category'),
      sortable: true,
      value: ({ category }) => category,
      cell: ({ category }) => t(`owner.${category}`),
    },
    {
      id: 'description',
      label: t('owner.description'),
      cell: ({ description }) => (
        <Text size="sm" lineClamp={2}>
          {description}
        </Text>
      ),
    },
    {
      id: 'available',
      label: t('owner.available'),
      cell: (item) => (
        <Switch
          label={item.available ? t('owner.inStock') : t('owner.outOfStock')}
          classNames={{ label: classes.compact ?? '' }}
          aria-label={t('owner.availableOf', { item: item.name })}
          checked={item.available}
          onChange={(event) => {
            setAvailable(item, event.currentTarget.checked)
          }}
        />
      ),
    },
    {
      id: 'actions',
      label: t('owner.actions'),
      slot: 'foot',
      cell: (item) => (
        <Group gap={4} wrap="nowrap">
          <Button
            component={Link}
            to={paths.owner.item(item._id)}
            state={{ id: item._id }}
            size="compact-sm"
            variant="light"
            aria-label={`${t('owner.edit')}: ${item.name}`}
          >
            {t('owner.edit')}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            aria-label={`${t('owner.delete')}: ${item.name}`}
            onClick={() => void remove(item)}
          >
            {t('owner.delete')}
          </Button>
        </Group>
      ),
    },
  ]
}
