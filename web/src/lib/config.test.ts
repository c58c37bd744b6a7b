import { afterEach, expect, test, vi } from 'vitest'

import { readConfig } from './config'

afterEach(() => {
  document.getElementById('configuration')?.remove()
})

const sriLanka = { currency: { code: 'LKR', decimals: 2, sign: 'Rs.' }, timeZone: 'Asia/Colombo', locale: 'en-LK' }

function put(text: string) {
  const script = document.createElement('script')
  script.id = 'configuration'
  script.type = 'application/json'
  script.textContent = text
  document.head.append(script)
}

test('the configuration comes from the document', () => {
  put('{"services":{"order":"https://orders.example"},"geocoder":true,"anonKey":"key"}')
  expect(readConfig()).toMatchObject({ services: { order: 'https://orders.example' }, geocoder: true, anonKey: 'key', googleClientId: null })
})

test('without a configuration everything is on this origin', () => {
  expect(readConfig()).toEqual({ services: {}, map: { tileUrl: null, attribution: null }, geocoder: false, googleClientId: null, anonKey: null, stripe: null, ...sriLanka })
})

test('Stripe is there where it takes the payments', () => {
  put('{"stripe":{"publishableKey":"pk_1","script":"https://js.stripe.com/v3/"}}')
  expect(readConfig().stripe).toEqual({ publishableKey: 'pk_1', script: 'https://js.stripe.com/v3/' })
})

test('a country is in the configuration', () => {
  const country = { currency: { code: 'KWD', decimals: 3, sign: 'KWD' }, timeZone: 'Asia/Kuwait', locale: 'ar-KW' }
  put(JSON.stringify(country))
  expect(readConfig()).toMatchObject(country)
})

test('a configuration that cannot be read is reported and left out', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  put('{"geocoder":"yes"}')
  expect(readConfig().geocoder).toBe(false)
  expect(warn).toHaveBeenCalledOnce()
})
