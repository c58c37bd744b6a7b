import { client } from './generated/client.gen'
import type { ListPrintJobsErrors, ListPrintJobsResponses, PrintMark, ReprintTicketErrors, ReprintTicketResponses } from './generated/types.gen'

// The generated functions would be in what the home page loads: all of them are in one file.

/** The printing of each ticket of the last day. */
export async function printMarks(signal: AbortSignal): Promise<PrintMark[]> {
  return await client.get<ListPrintJobsResponses, ListPrintJobsErrors, true, 'data'>({
    url: '/api/v1/orders/print-jobs',
    responseStyle: 'data',
    throwOnError: true,
    signal,
  })
}

/** Has the ticket of an order printed again. */
export async function printAgain(orderId: string): Promise<void> {
  await client.post<ReprintTicketResponses, ReprintTicketErrors, true, 'data'>({
    url: '/api/v1/orders/reprint/{orderId}',
    path: { orderId },
    responseStyle: 'data',
    throwOnError: true,
  })
}
