import { queryOptions } from '@tanstack/react-query'

import { getInvoice, listPayments } from './generated/sdk.gen'
import { lists } from './lists'

/** The caller's payments, refused ones among them: a customer's own, all for an administrator. */
export function paymentsQuery() {
  return queryOptions({ queryKey: ['payments'], queryFn: ({ signal }) => listPayments({ signal }) })
}

/** The refunds that the provider has failed to make several times, for administrators. */
export function delayedRefundsQuery() {
  return queryOptions({
    queryKey: [...lists.payments.key, 'delayed'],
    queryFn: ({ signal }) => listPayments({ query: { refund: 'delayed' }, signal }),
  })
}

/** The invoice of an order, as a page to print. */
export async function invoicePage(orderId: string): Promise<Blob> {
  return new Blob([await getInvoice({ path: { orderId } })], { type: 'text/html' })
}
