import { describe, expect, it } from 'vitest'

import { settingsOf } from './settings'

const TOKEN = 'Zm9yLWEtcGhvbmU_-1234567890abcdefghijklmnopq'

describe('the settings of a program', () => {
  it('are a link that Traccar Client splits into its server and its settings', () => {
    const { link, fields } = settingsOf('traccar', TOKEN)
    const url = new URL(link)
    expect(`${url.origin}${url.pathname}`).toBe(`${window.location.origin}/api/v1/delivery/phone/traccar`)
    expect(url.searchParams.get('id')).toBe(TOKEN)
    expect(Number(url.searchParams.get('interval'))).toBeGreaterThan(0)
    expect(fields).toEqual([
      { name: 'ServerAddress', value: `${url.origin}${url.pathname}` },
      { name: 'Identifier', value: TOKEN },
    ])
  })

  it('are a configuration in base64 for OwnTracks', () => {
    const { link, fields } = settingsOf('ownTracks', TOKEN)
    expect(link.startsWith('owntracks:///config?inline=')).toBe(true)
    const inline = new URL(link.replace('owntracks:///', 'http://own.tracks/')).searchParams.get('inline') ?? ''
    expect(JSON.parse(atob(inline))).toMatchObject({
      _type: 'configuration',
      mode: 3,
      auth: true,
      url: `${window.location.origin}/api/v1/delivery/phone/owntracks`,
      password: TOKEN,
    })
    expect(fields.map(({ value }) => value)).toContain(TOKEN)
  })
})
