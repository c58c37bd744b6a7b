import { useSearchParams } from 'react-router'

import { withSearchParam } from '@/lib/search-params'
import { useTexts } from '@/lib/texts'
import { MoreButton } from '@/ui/MoreButton'
import { Empty } from '@/ui/states'
import { SearchField } from '@/ui/table/SearchField'

import { useOwnerOrders } from './orders'
import { OrdersFrame } from './OrdersFrame'
import { OrdersTable } from './OrdersTable'
import { useOrderActions } from './use-order-actions'

/** Every order by pages, newest first, or those that a search finds; its words are kept in the address. */
export function TableView() {
  const t = useTexts()
  const [params, setParams] = useSearchParams()
  const q = params.get('q') ?? ''
  const { orders, error, refetch, hasNextPage, isFetchingNextPage, fetchOlder } = useOwnerOrders(q)
  const actions = useOrderActions(orders ?? [])
  const isFruitless = q !== '' && orders?.length === 0
  return (
    <>
      <search>
        <SearchField
          label={t('owner.searchOrders')}
          description={t('owner.searchOrdersHint')}
          maw={420}
          q={q}
          onSearch={(words) => {
            setParams(withSearchParam('q', words), { replace: true, preventScrollReset: true })
          }}
        />
      </search>
      {isFruitless ? (
        <Empty text={t('owner.noOrderMatches')} art="empty-list" hint={t('owner.noOrderMatchesHint')} />
      ) : (
        <OrdersFrame orders={orders} error={error} retry={() => void refetch()} actions={actions}>
          <OrdersTable orders={orders ?? []} controlsProps={actions.controlsProps} />
          {hasNextPage && <MoreButton label={t('owner.olderOrders')} isLoading={isFetchingNextPage} onMore={() => void fetchOlder()} />}
        </OrdersFrame>
      )}
    </>
  )
}
