import { Button, Group, Text } from '@mantine/core'

import type { ListReviewsResponses, Review } from '@/api/generated/types.gen'
import { lists } from '@/api/lists'
import { useTexts } from '@/lib/texts'
import { Picture } from '@/ui/Picture'
import type { Column } from '@/ui/table/columns'

import classes from './admin.module.css'
import { ApprovalBadge } from './badges'
import { useList } from './use-list'
import { useListAddress } from './list-address'
import { Listing } from './Listing'
import { useReviewActions } from './review-actions'

/** Every review, to be approved or deleted. */
export function ReviewsPage() {
  const t = useTexts()
  const address = useListAddress()
  const columns: Column<Review>[] = [
    {
      id: 'user',
      label: t('admin.user'),
      slot: 'heading',
      sortable: true,
      value: (review) => review.name,
      cell: (review) => (
        <Group gap="xs" wrap="nowrap">
          <Picture src={review.profilePicture} alt="" kind="person" width={36} height={36} round />
          <Text size="sm" fw={600}>
            {review.name}
          </Text>
        </Group>
      ),
    },
    { id: 'email', label: t('admin.email'), sortable: true, value: (review) => review.email, cell: (review) => review.email },
    {
      id: 'rating',
      label: t('admin.rating'),
      sortable: true,
      value: (review) => review.rating,
      cell: (review) => t('admin.ratingOf', { rating: review.rating }),
    },
    { id: 'comment', label: t('admin.comment'), value: (review) => review.comment, cell: (review) => review.comment },
    {
      id: 'status',
      label: t('admin.status'),
      sortable: true,
      value: (review) => (review.isApproved ? t('admin.approved') : t('admin.pending')),
      cell: (review) => <ApprovalBadge approved={review.isApproved} />,
    },
    { id: 'item', label: t('admin.item'), sortable: true, value: (review) => review.itemName, cell: (review) => review.itemName },
    {
      id: 'restaurant',
      label: t('admin.restaurantName'),
      sortable: true,
      value: (review) => review.restaurantName,
      cell: (review) => review.restaurantName,
    },
    { id: 'actions', label: t('admin.actions'), slot: 'foot', cell: (review) => <ReviewActions review={review} /> },
  ]
  const list = useList<ListReviewsResponses>({
    list: lists.reviews,
    query: { q: address.q, isApproved: address.get('isApproved') },
    sort: address.sort,
    columns,
  })
  return (
    <Listing
      title={t('admin.reviews')}
      list={list}
      address={address}
      columns={columns}
      filters={[
        {
          name: 'isApproved',
          label: t('admin.status'),
          options: [
            { value: 'true', label: t('admin.approved') },
            { value: 'false', label: t('admin.pending') },
          ],
        },
      ]}
      rowId={(review) => review._id}
      rowName={(review) => t('admin.reviewName', { item: review.itemName, name: review.name })}
      loading={t('admin.reviewsLoading')}
      empty={t('admin.reviewsEmpty')}
      file="reviews"
    />
  )
}

function ReviewActions({ review }: { review: Review }) {
  const t = useTexts()
  const { approve, remove, isBusy } = useReviewActions(review)
  // No other button moves under the pointer that has just approved.
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="compact-sm"
        variant="light"
        color="red"
        aria-label={t('admin.deleteReview', { name: review.name })}
        disabled={isBusy}
        onClick={() => void remove()}
      >
        {t('admin.delete')}
      </Button>
      <Button
        size="compact-sm"
        className={classes.approval ?? ''}
        data-done={review.isApproved || undefined}
        aria-label={t('admin.approveReview', { name: review.name })}
        disabled={isBusy || review.isApproved}
        onClick={approve}
      >
        {t('admin.approve')}
      </Button>
    </Group>
  )
}
