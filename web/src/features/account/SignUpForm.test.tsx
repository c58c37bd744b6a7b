import { platform, problem } from '@test/platform'
import { show } from '@test/render'
import { notifications } from '@mantine/notifications'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DriverSignupPage, RegisterPage, RestaurantSignupPage } from './sign-up-pages'

const server = platform()
let uploads: { name: string; cache: string | null }[] = []
let sent: unknown[] = []

const picture = new File(['png'], 'me at home.png', { type: 'image/png' })

const uploading = http.post('*/storage/v1/object/images/:name', ({ params, request }) => {
  const name = String(params.name)
  uploads.push({ name, cache: request.headers.get('cache-control') })
  return HttpResponse.json({ Key: `images/${name}`, Id: 'p1' })
})

function opening(path: string) {
  return http.post(`*/api/v1/${path}`, async ({ request }) => {
    sent.push(await request.json())
    return HttpResponse.json({ message: 'ok' }, { status: 201 })
  })
}

const upload = () => userEvent.upload(screen.getByLabelText('Profile picture', { selector: 'input' }), picture)

async function fill(password = 'Tasty!food') {
  await upload()
  // At once: the message does not stay until the rest is typed.
  await screen.findByText('Image uploaded successfully!')
  await userEvent.type(screen.getByLabelText('First name'), "N1im'ali9")
  await userEvent.type(screen.getByLabelText('Last name'), 'නිමාලි_7')
  await userEvent.type(screen.getByLabelText('Email'), 'nimali@tiffin.local')
  await userEvent.type(screen.getByLabelText('Password'), password)
  await userEvent.type(screen.getByLabelText('Address'), '12 Galle Face')
  await userEvent.type(screen.getByLabelText('Phone'), '+94 77-123x4567')
}

const submit = () => userEvent.click(screen.getByRole('button', { name: 'Register' }))

beforeEach(() => {
  uploads = []
  sent = []
  server.use(uploading)
})
afterEach(() => {
  notifications.clean()
})

const account = {
  firstName: "Nim'ali",
  lastName: 'නිමාලි',
  email: 'nimali@tiffin.local',
  password: 'Tasty!food',
  address: '12 Galle Face',
  phone: '+94771234567',
}

describe('signing up', () => {
  it('opens a customer\'s account with the uploaded picture, and goes to the login', async () => {
    server.use(opening('users'))
    const router = show(<RegisterPage />, '/register')
    await fill()
    await submit()
    expect(await screen.findByText('Registration Successfully')).toBeInTheDocument()
    await waitFor(() => {
      expect(router.state.location.pathname).toBe('/login')
    })
    expect(uploads[0]?.name).toMatch(/^\d{13}me at home\.png$/)
    expect(uploads[0]?.cache).toBe('max-age=3600')
    const image: unknown = expect.stringMatching(/^\/storage\/v1\/object\/public\/images\/\d{13}me%20at%20home\.png$/)
    expect(sent).toEqual([{ ...account, role: 'customer', image }])
  })

  it('asks for everything, the picture too, before anything is sent', async () => {
    show(<RestaurantSignupPage />, '/restaurant-signup')
    await submit()
    expect(await screen.findByText('Please upload profile picture')).toBeInTheDocument()
    expect(screen.getAllByText('Please enter a name.')).toHaveLength(2)
    expect(sent).toEqual([])
  })

  it('holds the password to its rule', async () => {
    show(<RegisterPage />, '/register')
    await fill('tastyfood')
    await submit()
    await waitFor(() => {
      expect(screen.getByLabelText('Password')).toHaveAttribute('data-invalid', 'true')
    })
    expect(sent).toEqual([])
  })

  it('reports that a picture could not be uploaded', async () => {
    server.use(http.post('*/storage/v1/object/images/:name', () => problem(415, 'No picture.')))
    show(<RegisterPage />, '/register')
    await upload()
    expect(await screen.findByText('Image upload failed.')).toBeInTheDocument()
  })

  it('shows the message of the service when there is no account', async () => {
    server.use(http.post('*/api/v1/users', () => problem(409, 'Email Already Added')))
    show(<RestaurantSignupPage />, '/restaurant-signup')
    await fill()
    await submit()
    expect(await screen.findByText('Email Already Added')).toBeInTheDocument()
  })

  it('asks a driver for the vehicle and the NIC', async () => {
    server.use(opening('driver'))
    show(<DriverSignupPage />, '/driver-signup')
    await fill()
    await submit()
    expect(await screen.findByText('Please select a vehicle type.')).toBeInTheDocument()
    expect(screen.getByText('Please enter your NIC.')).toBeInTheDocument()
    await userEvent.selectOptions(screen.getByLabelText('Vehicle type'), 'Van')
    await userEvent.type(screen.getByLabelText('Driver NIC'), '199012345678')
    await submit()
    await waitFor(() => {
      expect(sent).toMatchObject([{ ...account, role: 'delivery', vehicleType: 'Van', drNic: '199012345678' }])
    })
  })
})
