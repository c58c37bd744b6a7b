import * as v from 'valibot'

import { register, registerDriver } from '@/api/generated/sdk.gen'

import { addressRule, emailRule, nameRule, passwordRule, phoneRule, localizedError } from './validation'

/** The roles that sign up; each has a separate page. */
export type SignUpRole = 'customer' | 'restaurant' | 'delivery'

const vehicle = v.picklist(['Car', 'Bike', 'Van', 'Truck'])
export const vehicles = vehicle.options

const signUpSchema = v.object({
  image: v.pipe(v.string(), v.minLength(1, localizedError('account.pictureRequired'))),
  firstName: nameRule,
  lastName: nameRule,
  email: emailRule('account.emailInvalid'),
  password: passwordRule,
  address: addressRule,
  phone: phoneRule,
  vehicleType: v.string(),
  drNic: v.pipe(v.string(), v.trim()),
})

export type SignUp = v.InferOutput<typeof signUpSchema>

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
  return v.object({
    ...signUpSchema.entries,
    vehicleType: v.pipe(v.string(), v.check((type) => v.is(vehicle, type), localizedError('account.vehicleRequired'))),
    drNic: v.pipe(v.string(), v.trim(), v.minLength(1, localizedError('account.nicRequired'))),
  })
}

/** Opens the account. */
export async function signUp(role: SignUpRole, { vehicleType, drNic, ...account }: SignUp): Promise<void> {
  if (role === 'delivery') {
    await registerDriver({ body: { ...account, role, vehicleType: v.parse(vehicle, vehicleType), drNic } })
  } else {
    await register({ body: { ...account, role } })
  }
}
