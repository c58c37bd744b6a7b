import { SimpleGrid } from '@mantine/core'

import type { Inquiry, ListInquiriesResponses } from '@/api/generated/types.gen'
import { lists } from '@/api/lists'
import { useTexts } from '@/lib/texts'
import type { Column } from '@/ui/table/columns'

import { InquiryCard } from './InquiryCard'
import { useList } from './use-list'
import { useListAddress } from './list-address'
import { Listing } from './Listing'

/** The inquiries, each with its answer. */
export function InquiriesPage() {
  const t = useTexts()
  const address = useListAddress()
  const columns: Column<Inquiry>[] = [
    { id: 'id', label: t('admin.id'), value: (one) => one.id, cell: (one) => one.id },
    { id: 'createdAt', label: t('admin.date'), sortable: true, value: (one) => one.createdAt, cell: (one) => one.createdAt },
    { id: 'email', label: t('admin.email'), sortable: true, value: (one) => one.email, cell: (one) => one.email },
    { id: 'phone', label: t('admin.phone'), value: (one) => one.phone, cell: (one) => one.phone },
    { id: 'message', label: t('admin.message'), value: (one) => one.message, cell: (one) => one.message },
    { id: 'response', label: t('admin.response'), value: (one) => one.response, cell: (one) => one.response },
  ]
  const list = useList<ListInquiriesResponses>({
    list: lists.inquiries,
    query: { q: address.q },
    sort: address.sort,
    columns,
  })
  return (
    <Listing
      title={t('admin.inquiries')}
      list={list}
      address={address}
      columns={columns}
      rowId={(one) => one._id}
      rowName={(one) => t('admin.inquiryName', { email: one.email })}
      empty={t('admin.inquiriesEmpty')}
      file="inquiries"
    >
      {(rows) => (
        <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} spacing="md">
          {rows.map((inquiry) => (
            <InquiryCard key={inquiry._id} inquiry={inquiry} />
          ))}
        </SimpleGrid>
      )}
    </Listing>
  )
}
