import { z } from 'zod'

import { register, registerDriver } from '@/api/generated/sdk.gen'

import { addressRule, emailRule, nameRule, passwordRule, phoneRule, said } from './rules'

/** The roles that sign up; each has a separate page. */
export type SignUpRole = 'customer' | 'restaurant' | 'delivery'

const vehicle = z.enum(['Car', 'Bike', 'Van', 'Truck'])
export const vehicles = vehicle.options

const person = z.object({
  image: z.string().min(1, said('account.pictureRequired')),
  firstName: nameRule,
  lastName: nameRule,
  email: emailRule,
  password: passwordRule,
  address: addressRule,
  phone: phoneRule,
  vehicleType: z.string(),
  drNic: z.string().trim(),
})

export type SignUp = z.infer<typeof person>

export const fields = [
  'image',
  'firstName',
  'lastName',
  'email',
  'password',
  'address',
  'phone',
  'vehicleType',
  'drNic',
] as const

export const emptySignUp: SignUp = {
  image: '',
  firstName: '',
  lastName: '',
  email: '',
  password: '',
  address: '',
  phone: '',
  vehicleType: '',
  drNic: '',
}

/** The fields of a role: a driver also enters a vehicle and an identity number. */
export function rulesOf(role: SignUpRole) {
  if (role !== 'delivery') return person
  return person.extend({
    vehicleType: z.string().refine((type) => vehicle.safeParse(type).success, said('account.vehicleRequired')),
    drNic: z.string().trim().min(1, said('account.nicRequired')),
  })
}

/** Opens the account. */
export async function signUp(role: SignUpRole, { vehicleType, drNic, ...account }: SignUp): Promise<void> {
  if (role === 'delivery') {
    await registerDriver({ body: { ...account, role, vehicleType: vehicle.parse(vehicleType), drNic } })
  } else {
    await register({ body: { ...account, role } })
  }
}
