import { Badge, Group, NativeSelect, Rating, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { restaurantsQuery } from '@/api/catalogue'
import type { ListReviewsResponses, Review } from '@/api/generated/types.gen'
import { lists } from '@/api/lists'
import { fetchNext, pagesQuery } from '@/api/pages'
import { messageOf } from '@/api/problem'
import { dateText } from '@/lib/format'
import { useSessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { MoreButton } from '@/ui/MoreButton'
import { Page } from '@/ui/Page'
import { Picture } from '@/ui/Picture'
import { Empty, Failure, Loading } from '@/ui/states'

import classes from './owner.module.css'

/** The reviews of the dishes of an owner's restaurant, with those that are not approved yet. */
export function ReviewsPage() {
  const t = useTexts()
  const user = useSessionUser()
  const restaurants = useQuery(restaurantsQuery())
  const [chosen, setChosen] = useState<string | null>(null)
  const own = restaurants.data?.filter(({ ownerId }) => ownerId === user?.id)
  const restaurantId = chosen ?? own?.[0]?._id
  return (
    <Page
      title={t('owner.reviews')}
      size="md"
      aside={
        own !== undefined &&
        own.length > 1 && (
          <NativeSelect
            aria-label={t('owner.restaurant')}
            value={restaurantId ?? ''}
            onChange={(event) => {
              setChosen(event.currentTarget.value)
            }}
            data={own.map(({ _id, name }) => ({ value: _id, label: name }))}
          />
        )
      }
    >
      {restaurants.isPending && <Loading text={t('owner.loadingReviews')} />}
      {restaurants.isError && (
        <Failure message={messageOf(restaurants.error, t('owner.failed'))} retry={() => void restaurants.refetch()} />
      )}
      {own?.length === 0 && <Empty text={t('owner.noReviews')} art="empty-list" />}
      {restaurantId !== undefined && <Reviews key={restaurantId} restaurantId={restaurantId} />}
    </Page>
  )
}

function Reviews({ restaurantId }: { restaurantId: string }) {
  const t = useTexts()
  const found = useInfiniteQuery(pagesQuery<ListReviewsResponses>(lists.reviews.key, lists.reviews.url, { restaurantId }))
  const { error, isPending, refetch, hasNextPage, isFetchingNextPage } = found
  const reviews = found.data?.pages.flatMap(({ rows }) => rows)
  return (
    <Stack gap="md">
      {isPending && <Loading text={t('owner.loadingReviews')} />}
      {error !== null && <Failure message={messageOf(error, t('owner.failed'))} retry={() => void refetch()} />}
      {reviews?.length === 0 && <Empty text={t('owner.noReviews')} art="empty-list" />}
      {reviews?.map((review) => <ReviewEntry key={review._id} review={review} />)}
      {hasNextPage && <MoreButton label={t('owner.olderReviews')} isLoading={isFetchingNextPage} onMore={() => void fetchNext(found)} />}
    </Stack>
  )
}

function ReviewEntry({ review }: { review: Review }) {
  const t = useTexts()
  return (
    <article className={classes.review} tabIndex={-1} aria-label={`${review.name}: ${review.itemName}`} data-testid="review">
      <Group wrap="nowrap" align="start">
        <Picture src={review.profilePicture} alt="" kind="person" width={44} height={44} round />
        <Stack gap={4} className={classes.facts}>
          <Group justify="space-between" gap="xs">
            <Text fw={650}>{review.name}</Text>
            <Badge variant="light" color={review.isApproved ? 'leaf' : 'amber'}>
              {review.isApproved ? t('owner.approved') : t('owner.pendingReview')}
            </Badge>
          </Group>
          <Group gap="xs">
            <Rating value={review.rating} readOnly size="sm" aria-hidden="true" />
            <Text size="sm">{t('owner.outOfFive', { rating: review.rating })}</Text>
            <Text size="sm" c="dimmed">
              {review.itemName} · {dateText(review.date)}
            </Text>
          </Group>
          <Text className={classes.comment ?? ''}>{review.comment}</Text>
        </Stack>
      </Group>
    </article>
  )
}
