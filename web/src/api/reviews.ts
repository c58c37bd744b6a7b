import { queryOptions } from '@tanstack/react-query'

import { listReviewsOf } from './generated/sdk.gen'
import { lists } from './lists'

/** The reviews of a dish, last written first: approved ones, and the caller's own. */
export function reviewsOfQuery(productId: string) {
  return queryOptions({
    queryKey: [...lists.reviews.key, 'of', productId],
    queryFn: ({ signal }) => listReviewsOf({ path: { productId }, signal }),
  })
}
