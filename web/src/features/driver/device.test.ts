import { afterEach, describe, expect, it, vi } from 'vitest'

import { currentPosition, positionOf, PositionError, watchPosition } from './device'

type Answer = (position: GeolocationPosition) => void
type Refusal = (error: GeolocationPositionError) => void

function position(over: Partial<GeolocationCoordinates> = {}): GeolocationPosition {
  const coords = {
    latitude: 6.9147,
    longitude: 79.8501,
    accuracy: 8,
    altitude: null,
    altitudeAccuracy: null,
    heading: null,
    speed: null,
    ...over,
  }
  return {
    coords: { ...coords, toJSON: () => coords },
    timestamp: Date.UTC(2026, 10, 21, 10),
    toJSON: () => coords,
  }
}

function refusal(code: 1 | 2 | 3): GeolocationPositionError {
  return { code, message: 'no', PERMISSION_DENIED: 1, POSITION_UNAVAILABLE: 2, TIMEOUT: 3 }
}

function stubDevice(getCurrentPosition: (answer: Answer, refuse: Refusal) => void) {
  const asked = vi.fn(getCurrentPosition)
  vi.stubGlobal('navigator', {
    geolocation: { getCurrentPosition: asked, watchPosition: asked, clearWatch: vi.fn() },
  })
  return asked
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a position of the device', () => {
  it('leaves out what the device does not know', () => {
    expect(positionOf(position({ heading: Number.NaN }))).toEqual({
      lat: 6.9147,
      lng: 79.8501,
      accuracy: 8,
      at: '2026-11-21T10:00:00.000Z',
    })
    expect(positionOf(position({ heading: 90, speed: 0 }))).toMatchObject({ heading: 90, speed: 0 })
  })

  it('is what the device knew last when it has nothing newer', async () => {
    let times = 0
    const asked = stubDevice((answer, refuse) => {
      times += 1
      if (times === 1) refuse(refusal(3))
      else answer(position())
    })
    await expect(currentPosition()).resolves.toMatchObject({ lat: 6.9147 })
    expect(asked).toHaveBeenCalledTimes(2)
  })

  it('is not asked for twice where it is forbidden', async () => {
    const asked = stubDevice((_, refuse) => {
      refuse(refusal(1))
    })
    await expect(currentPosition()).rejects.toThrow(PositionError)
    expect(asked).toHaveBeenCalledOnce()
  })

  it('cannot be had without geolocation', async () => {
    vi.stubGlobal('navigator', {})
    await expect(currentPosition()).rejects.toMatchObject({ failure: 'unsupported' })
    const failed = vi.fn()
    watchPosition({ onPosition: vi.fn(), onFailure: failed })
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ failure: 'unsupported', final: true }))
  })
})
