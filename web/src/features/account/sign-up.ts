import { z } from 'zod'

import { register, registerDriver } from '@/api/generated/sdk.gen'

/** Who signs up; each has a page of their own. */
export type SignUpRole = 'customer' | 'restaurant' | 'delivery'

export const PASSWORD_HINT =
  'Password must be at least 8 characters long and include at least one uppercase letter and one symbol.'

const vehicle = z.enum(['Car', 'Bike', 'Van', 'Truck'])
export const vehicles = vehicle.options

const NOT_OF_NAMES = /[^\p{L}\p{M}\u200c\u200d '’.-]/gu

/** What is typed as a name, without all that is neither a letter, a space nor a mark that names need. */
export function lettersOf(text: string): string {
  return text.replace(NOT_OF_NAMES, '')
}

/** What is typed as a phone number: its digits, and a leading plus. */
export function digitsOf(text: string): string {
  return text.replace(/[^\d+]/g, '').replace(/(?!^)\+/g, '')
}

const name = z
  .string()
  .trim()
  .max(100, 'A name has at most 100 letters.')
  .regex(/\p{L}/u, 'Please enter a name.')

const person = z.object({
  image: z.string().min(1, 'Please upload profile picture'),
  firstName: name,
  lastName: name,
  email: z.email('Please enter a valid email address.'),
  password: z
    .string()
    .min(8, PASSWORD_HINT)
    .regex(/\p{Lu}/u, PASSWORD_HINT)
    .regex(/[^\p{L}\p{M}\p{N}\s]/u, PASSWORD_HINT),
  address: z.string().trim().min(1, 'Please enter an address.').max(300, 'An address has at most 300 characters.'),
  phone: z.string().regex(/^\+?\d{6,15}$/, 'A phone number has 6 to 15 digits.'),
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

export const nobody: SignUp = {
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

/** What a role has to fill in: a driver also says what they drive and who they are. */
export function rulesOf(role: SignUpRole) {
  if (role !== 'delivery') return person
  return person.extend({
    vehicleType: z.string().refine((type) => vehicle.safeParse(type).success, 'Please select a vehicle type.'),
    drNic: z.string().trim().min(1, 'Please enter your NIC.'),
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
