import { ConfirmationPage } from '@/features/checkout/ConfirmationPage'

import { Guard } from './Guard'

export function Confirmation() {
  return (
    <Guard role="customer">
      <ConfirmationPage />
    </Guard>
  )
}
