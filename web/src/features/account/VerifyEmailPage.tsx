import { Alert, Button, Input, PinInput, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'

import { sendOtp, verifyOtp } from '@/api/generated/sdk.gen'
import { isProblem, messageOf } from '@/api/problem'
import { paths } from '@/lib/paths'
import { session, useSessionUser, useToken } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { FormError } from '@/ui/FormError'
import { toast } from '@/ui/toast'

import { useCountdown } from './countdown'
import { FormCard } from './FormCard'

/** Seconds until another code may be sent. */
const RESEND_DELAY = 30
/** Milliseconds between the success and the login page. */
const REDIRECT_DELAY = 2000
/** Digits of a code. */
const CODE_LENGTH = 6

/** The service's message; a text of the app if it gave none or could not be reached. */
function errorText(error: Error, refused: string, lost: string): string {
  return isProblem(error) ? messageOf(error, refused) : lost
}

export function VerifyEmailPage() {
  const t = useTexts()
  const user = useSessionUser()
  const token = useToken()
  const navigate = useNavigate()
  const [otp, setOtp] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const countdown = useCountdown()

  const send = useMutation({
    mutationFn: () => sendOtp(),
    onMutate: () => {
      setProblem(null)
    },
    onSuccess: () => {
      countdown.start(RESEND_DELAY)
      toast.success(t('account.codeSent'))
    },
    onError: (error) => {
      setProblem(errorText(error, t('account.otpSendFailed'), t('account.otpSendError')))
    },
  })
  const verify = useMutation({
    mutationFn: (code: string) => verifyOtp({ body: { otp: code } }),
    onError: (error) => {
      setProblem(errorText(error, t('account.otpFailed'), t('account.otpVerifyError')))
    },
  })

  // The success stays readable for a moment before the login page comes.
  useEffect(() => {
    if (!verify.isSuccess) return
    const { email } = verify.data.user
    const timer = setTimeout(() => {
      session.end()
      void navigate(paths.login(), { replace: true, state: { email } })
    }, REDIRECT_DELAY)
    return () => {
      clearTimeout(timer)
    }
  }, [verify.isSuccess, verify.data, navigate])

  // With the success the session ends, and this page stays until the login's is fetched.
  const email = verify.data?.user.email ?? (token === null ? undefined : user?.email)
  if (email === undefined) {
    return (
      <FormCard title={t('account.verifyTitle')}>
        <FormError>{t('account.tokenNotFound')}</FormError>
        <Button component={Link} to={paths.login()}>
          {t('account.login')}
        </Button>
      </FormCard>
    )
  }

  const submit = () => {
    setProblem(otp === '' ? t('account.enterOtp') : null)
    if (otp !== '') verify.mutate(otp)
  }
  return (
    <FormCard title={t('account.verifyTitle')} lead={t('account.verifyLead', { email })}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap="md">
          {verify.isSuccess && (
            <Alert color="leaf" role="status">
              {t('account.emailVerified')}
            </Alert>
          )}
          {problem !== null && <FormError>{problem}</FormError>}
          <Button
            variant="light"
            loading={send.isPending}
            disabled={countdown.left > 0 || verify.isSuccess}
            onClick={() => {
              send.mutate()
            }}
          >
            {countdown.left > 0 ? t('account.sendAgainIn', { seconds: countdown.left }) : t('account.sendCode')}
          </Button>
          <Stack gap={4} role="group" aria-labelledby="code-label">
            <Input.Label id="code-label" labelElement="div">
              {t('account.code')}
            </Input.Label>
            <PinInput
              length={CODE_LENGTH}
              type="number"
              size="lg"
              gap="xs"
              placeholder=""
              oneTimeCode
              value={otp}
              error={problem !== null}
              getInputProps={(at) => ({ 'aria-label': t('account.digit', { at: at + 1, count: CODE_LENGTH }) })}
              onChange={setOtp}
            />
          </Stack>
          <Button type="submit" size="md" loading={verify.isPending} disabled={verify.isSuccess}>
            {t('account.verify')}
          </Button>
        </Stack>
      </form>
    </FormCard>
  )
}
