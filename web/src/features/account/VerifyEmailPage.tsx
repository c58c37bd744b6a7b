import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'

import { sendOtp, verifyOtp } from '@/api/generated/sdk.gen'
import { isProblem } from '@/api/problem'
import { paths } from '@/lib/paths'
import { session, useSessionUser, useToken } from '@/lib/session'
import { toast } from '@/ui/toast'

import { useCountdown } from './countdown'
import { FormCard } from './FormCard'

/** Seconds until another code may be sent. */
const RESEND = 30
/** Milliseconds between the success and the login page. */
const STAY = 2000

/** The service's words, or what to say when it said nothing, or could not be reached. */
function words(error: Error, refused: string, lost: string): string {
  if (!isProblem(error)) return lost
  return error.message === '' ? refused : error.message
}

export function VerifyEmailPage() {
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
    onSuccess: ({ message }) => {
      countdown.start(RESEND)
      toast.success(message)
    },
    onError: (error) => {
      setProblem(words(error, 'Failed to send verification email.', 'An error occurred while sending the OTP.'))
    },
  })
  const verify = useMutation({
    mutationFn: (code: string) => verifyOtp({ body: { otp: code } }),
    onError: (error) => {
      setProblem(words(error, 'OTP verification failed.', 'An error occurred while verifying OTP.'))
    },
  })

  // The success stays readable for a moment before the login page comes.
  useEffect(() => {
    if (!verify.isSuccess) return
    const { email } = verify.data.user
    const timer = setTimeout(() => {
      session.end()
      void navigate(paths.login(), { replace: true, state: { email } })
    }, STAY)
    return () => {
      clearTimeout(timer)
    }
  }, [verify.isSuccess, verify.data, navigate])

  if (token === null || user === null) {
    return (
      <FormCard title="Verify your email">
        <Alert color="red" role="alert">
          Token not found. Please login again.
        </Alert>
        <Button component={Link} to={paths.login()}>
          Login
        </Button>
      </FormCard>
    )
  }

  const submit = () => {
    const code = otp.trim()
    setProblem(code === '' ? 'Please enter the OTP.' : null)
    if (code !== '') verify.mutate(code)
  }
  return (
    <FormCard title="Verify your email" lead={`We send a code to ${user.email}.`}>
      <form action={submit} noValidate>
        <Stack gap="md">
          {verify.isSuccess && (
            <Alert color="leaf" role="status">
              {verify.data.message}
            </Alert>
          )}
          {problem !== null && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <Button
            variant="light"
            loading={send.isPending}
            disabled={countdown.left > 0 || verify.isSuccess}
            onClick={() => {
              send.mutate()
            }}
          >
            {countdown.left > 0 ? `Send again in ${countdown.left} s` : 'Send code'}
          </Button>
          <TextInput
            label="Code"
            size="md"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            value={otp}
            onChange={(event) => {
              setOtp(event.currentTarget.value)
            }}
          />
          <Button type="submit" size="md" loading={verify.isPending} disabled={verify.isSuccess}>
            Verify
          </Button>
        </Stack>
      </form>
    </FormCard>
  )
}
