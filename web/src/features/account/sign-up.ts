import { z } from 'zod'

import { register, registerDriver } from '@/api/generated/sdk.gen'

import { addressRule, emailRule, nameRule, passwordRule, phoneRule, localizedError } from './validation'

/** The roles that sign up; each has a separate page. */
export type SignUpRole = 'customer' | 'restaurant' | 'delivery'

const vehicle = z.enum(['Car', 'Bike', 'Van', 'Truck'])
export const vehicles = vehicle.options

const signUpSchema = z.object({
  image: z.string().min(1, localizedError('account.pictureRequired')),
  firstName: nameRule,
  lastName: nameRule,
  email: emailRule,
  password: passwordRule,
  address: addressRule,
  phone: phoneRule,
  vehicleType: z.string(),
  drNic: z.string().trim(),
})

export type SignUp = z.infer<typeof signUpSchema>

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
export function schemaOf(role: SignUpRole) {
  if (role !== 'delivery') return signUpSchema
  return signUpSchema.extend({
    vehicleType: z.string().refine((type) => vehicle.safeParse(type).success, localizedError('account.vehicleRequired')),
    drNic: z.string().trim().min(1, localizedError('account.nicRequired')),
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
