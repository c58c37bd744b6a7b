import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { checkPayment } from '@/api/generated/sdk.gen'
import { ordersQuery } from '@/api/orders'
import { paymentsQuery } from '@/api/payments'
import { isProblem, messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { FormError } from '@/ui/FormError'

import { confirmAtBank } from './stripe'
import { useStripe } from './use-stripe'

/** The pause between two questions about a payment, in milliseconds. */
const PAUSE = 5_000

/** A payment that is pending at Stripe: processed there, or waiting for its customer to confirm it at the bank. */
export function PendingPayment({ id }: { id: string }) {
  const t = useTexts()
  const queries = useQueryClient()
  const stripe = useStripe()
  const refetch = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: paymentsQuery().queryKey }),
      queries.invalidateQueries({ queryKey: ordersQuery().queryKey }),
    ])
  const ask = async (giveUp: boolean) => {
    try {
      const answer = await checkPayment({ path: { paymentId: id }, body: { giveUp } })
      if (answer.payment.status !== 'pending') await refetch()
      return answer.clientSecret ?? null
    } catch (error) {
      // Refused: the list of payments knows it, too, and the page shows the form again.
      if (!isProblem(error) || error.status !== 402) throw error
      await refetch()
      return null
    }
  }
  const check = useQuery(
    queryOptions({
      queryKey: ['payment-check', id],
      queryFn: () => ask(false),
      refetchInterval: PAUSE,
      gcTime: 0,
    }),
  )
  const decide = useMutation({
    mutationFn: async (clientSecret: string | null) => {
      if (clientSecret !== null && stripe.data !== undefined) await confirmAtBank(stripe.data, clientSecret)
      await ask(clientSecret === null)
    },
  })
  const clientSecret = check.data ?? null
  return (
    <Alert color="amber" role="status" mb="md">
      <Stack gap="sm">
        <Text size="sm">{t(clientSecret === null ? 'checkout.paymentRunning' : 'checkout.confirmAtBank')}</Text>
        {decide.isError && <FormError>{messageOf(decide.error, t('checkout.paymentFailed'))}</FormError>}
        {stripe.isError && clientSecret !== null && <FormError>{t('checkout.cardFieldFailed')}</FormError>}
        {clientSecret !== null && (
          <Group gap="xs">
            <Button
              loading={decide.isPending && decide.variables !== null}
              disabled={stripe.data === undefined || decide.isPending}
              onClick={() => {
                decide.mutate(clientSecret)
              }}
            >
              {t('checkout.confirmNow')}
            </Button>
            <Button
              variant="default"
              loading={decide.isPending && decide.variables === null}
              disabled={decide.isPending}
              onClick={() => {
                decide.mutate(null)
              }}
            >
              {t('checkout.payAnotherWay')}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  )
}
