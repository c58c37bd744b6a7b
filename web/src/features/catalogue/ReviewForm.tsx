import { Anchor, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import { submitReview } from '@/api/generated/sdk.gen'
import type { Item, Review } from '@/api/generated/types.gen'
import { isProblem, messageOf } from '@/api/problem'
import { reviewsOfQuery } from '@/api/reviews'
import { paths } from '@/lib/paths'
import { session } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { GrowingTextarea } from '@/ui/GrowingTextarea'
import { FormError } from '@/ui/FormError'
import { toast } from '@/ui/toast'

import classes from './product.module.css'
import { StarField } from './StarField'

/** The longest comment, in characters. */
const LONGEST = 2000

class NotSignedIn extends Error {}

/** Stars and a comment; a second review replaces the first. */
export function ReviewForm({ item, own }: { item: Item; own: Review | undefined }) {
  const t = useTexts()
  const queries = useQueryClient()
  const [rating, setRating] = useState(own?.rating ?? 0)
  const [comment, setComment] = useState(own?.comment ?? '')
  const submit = useMutation({
    mutationFn: async () => {
      if (session.token() === null) throw new NotSignedIn()
      return submitReview({ body: { productId: item._id, rating, comment: comment.trim(), itemName: item.name } })
    },
    onSuccess: async () => {
      toast.success(t('catalogue.reviewSubmitted'))
      await queries.invalidateQueries({ queryKey: reviewsOfQuery(item._id).queryKey })
    },
  })
  const isStranger =
    submit.error instanceof NotSignedIn || (isProblem(submit.error) && submit.error.status === 401)

  return (
    <Card component="section" withBorder padding="lg" className={classes.form} aria-labelledby="write-review">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit.mutate()
        }}
      >
        <Stack gap="md">
          <Title order={3} id="write-review">
            {t(own === undefined ? 'catalogue.writeReview' : 'catalogue.changeReview')}
          </Title>
          {submit.isError && (
            <FormError>
              {isStranger ? (
                <>
                  <span>{t('catalogue.loginToReview')}</span>{' '}
                  <Anchor component={Link} to={paths.login()} state={{ from: paths.product(item._id) }} inherit>
                    {t('catalogue.login')}
                  </Anchor>
                </>
              ) : (
                messageOf(submit.error, t('catalogue.reviewFailed'))
              )}
            </FormError>
          )}
          <Group gap="sm">
            <StarField value={rating} onChange={setRating} />
            <Text c="dimmed" size="sm">
              {rating} / 5
            </Text>
          </Group>
          <GrowingTextarea
            label={t('catalogue.comment')}
            rows={3}
            maxLength={LONGEST}
            value={comment}
            onChange={(event) => {
              setComment(event.currentTarget.value)
            }}
          />
          <Button type="submit" loading={submit.isPending}>
            {t('catalogue.submitReview')}
          </Button>
        </Stack>
      </form>
    </Card>
  )
}
