import { Badge, Group, Rating, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { Item, Review } from '@/api/generated/types.gen'
import { messageOf } from '@/api/problem'
import { reviewsOfQuery } from '@/api/reviews'
import { dateText } from '@/lib/format'
import { useSessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { Picture } from '@/ui/Picture'
import { Empty, Failure, Loading } from '@/ui/states'

import classes from './product.module.css'
import { ReviewForm } from './ReviewForm'

function Entry({ review, own }: { review: Review; own: boolean }) {
  const t = useTexts()
  return (
    <li className={classes.review} data-testid="review">
      <Picture src={review.profilePicture} alt="" kind="person" width={44} height={44} round />
      <div className={classes.text}>
        <Group gap="xs">
          <Text fw={600}>{own ? t('catalogue.yourReview') : review.name}</Text>
          {!review.isApproved && (
            <Badge size="sm" variant="light" color="amber">
              {t('catalogue.reviewPending')}
            </Badge>
          )}
        </Group>
        <Group gap="xs">
          <span role="img" aria-label={t('catalogue.stars', { count: review.rating })}>
            <Rating value={review.rating} readOnly size="xs" color="amber" aria-hidden />
          </span>
          <Text size="xs" c="dimmed">
            {dateText(review.data)}
          </Text>
        </Group>
        {review.comment !== '' && (
          <Text mt={4} className={classes.comment}>
            {review.comment}
          </Text>
        )}
      </div>
    </li>
  )
}

/** The reviews of a dish, and the form for the visitor's own. */
export function Reviews({ item }: { item: Item }) {
  const t = useTexts()
  const user = useSessionUser()
  const { data, error, isPending, refetch } = useQuery(reviewsOfQuery(item._id))
  // Only its author sees the address on a review.
  const own = user === null ? undefined : data?.find((review) => review.email === user.email)
  const others = data?.filter((review) => review !== own) ?? []
  return (
    <section className={classes.reviews} aria-labelledby="reviews">
      <Stack gap="sm">
        <Title order={2} id="reviews">
          {t('catalogue.reviews')}
        </Title>
        {isPending && <Loading text={t('catalogue.loadingReviews')} />}
        {error !== null && <Failure message={messageOf(error, t('catalogue.reviewsFailed'))} retry={() => void refetch()} />}
        {data?.length === 0 && <Empty text={t('catalogue.noReviews')} hint={t('catalogue.noReviewsHint')} />}
        <ul className={classes.list}>
          {own !== undefined && <Entry review={own} own />}
          {others.map((review) => (
            <Entry key={review._id} review={review} own={false} />
          ))}
        </ul>
      </Stack>
      {(user === null || user.role === 'customer') && <ReviewForm key={own?._id ?? 'new'} item={item} own={own} />}
    </section>
  )
}
