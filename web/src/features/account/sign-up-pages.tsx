import { useTexts } from '@/lib/texts'

import { SignUpForm } from './SignUpForm'

export function RegisterPage() {
  const t = useTexts()
  return <SignUpForm role="customer" title={t('account.register')} lead={t('account.customerLead')} />
}

export function RestaurantSignupPage() {
  const t = useTexts()
  return <SignUpForm role="restaurant" title={t('account.restaurantSignup')} lead={t('account.restaurantLead')} />
}

export function DriverSignupPage() {
  const t = useTexts()
  return <SignUpForm role="delivery" title={t('account.driverSignup')} lead={t('account.driverLead')} />
}
