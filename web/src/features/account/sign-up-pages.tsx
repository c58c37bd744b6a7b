import { SignUpForm } from './SignUpForm'

export function RegisterPage() {
  return <SignUpForm role="customer" title="Register" lead="Order from every kitchen in town." />
}

export function RestaurantSignupPage() {
  return <SignUpForm role="restaurant" title="Restaurant Register" lead="Sell your dishes on Tiffin." />
}

export function DriverSignupPage() {
  return <SignUpForm role="delivery" title="Register as Driver" lead="Deliver with your own vehicle." />
}
