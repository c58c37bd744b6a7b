import { queryOptions } from '@tanstack/react-query'

import { getInvoice, listPayments } from './generated/sdk.gen'

/** The caller's payments, refused ones among them: a customer's own, all for an administrator. */
export function paymentsQuery() {
  return queryOptions({ queryKey: ['payments'], queryFn: ({ signal }) => listPayments({ signal }) })
}

/** The invoice of an order, as a page to print. */
export async function invoicePage(orderId: string): Promise<Blob> {
  return new Blob([await getInvoice({ path: { orderId } })], { type: 'text/html' })
}
