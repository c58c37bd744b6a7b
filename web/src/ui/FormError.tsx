import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'

/** Why a form was refused. */
export function FormError({ children }: { children: ReactNode }) {
  return (
    <Alert color="red" role="alert">
      {children}
    </Alert>
  )
}
