import { queryOptions } from '@tanstack/react-query'

import { listInquiries } from './generated/sdk.gen'

/** The caller's own inquiries, newest first; all for an administrator. */
export function inquiriesQuery() {
  return queryOptions({ queryKey: ['inquiries'], queryFn: ({ signal }) => listInquiries({ signal }) })
}
