import { useEffect, useEffectEvent, useRef, useState } from 'react'

import { addressAt } from '@/api/geocode'
import { canLocate, currentPlace, type Coordinates } from '@/lib/geolocation'
import { useTexts } from '@/lib/texts'

/** The first place of the pin without any other: the middle of the base map's city, without the map's file. */
const CITY: Coordinates = { lat: 6.9147, lng: 79.862 }

type Fault = 'geolocationUnsupported' | 'locationAccessFailed' | 'locationDetailsFailed'

/** The customer's address of delivery, as far as it is known. */
export interface DeliveryAddress {
  address: string
  lat?: number | null
  lng?: number | null
}

/** A place on the map and its address: a change of one updates the other. The device's place is read once at the start. */
export function usePlace(saved: DeliveryAddress | undefined) {
  const t = useTexts()
  const known = saved?.lat != null && saved.lng != null ? { lat: saved.lat, lng: saved.lng } : null
  const [place, setPlace] = useState(known ?? CITY)
  const [address, setAddress] = useState(saved?.address ?? '')
  const [fault, setFault] = useState<Fault | null>(canLocate() ? null : 'geolocationUnsupported')
  const [locating, setLocating] = useState(canLocate())
  /** Numbers the requests, so that a late answer changes nothing. */
  const requests = useRef(0)
  /** Counts edits: an address that was typed is better than the answer to an older request. */
  const edits = useRef(0)

  const moveTo = (to: Coordinates, editsBefore: number) => {
    const request = ++requests.current
    const isCurrent = () => request === requests.current && editsBefore === edits.current
    setFault(null)
    setPlace(to)
    addressAt(to).then(
      (found) => {
        if (isCurrent() && found !== null) setAddress(found)
      },
      () => {
        if (isCurrent()) setFault('locationDetailsFailed')
      },
    )
  }
  const onLocated = (request: number, editsBefore: number) => (here: Coordinates) => {
    setLocating(false)
    // A pin that was moved meanwhile is better.
    if (request === requests.current) moveTo(here, editsBefore)
  }
  const onLocationFailed = (request: number) => () => {
    setLocating(false)
    if (request === requests.current) setFault('locationAccessFailed')
  }

  const onInitialPlace = useEffectEvent((here: Coordinates) => {
    onLocated(0, 0)(here)
  })
  const onInitialFailure = useEffectEvent(() => {
    onLocationFailed(0)()
  })
  useEffect(() => {
    if (canLocate()) currentPlace().then(onInitialPlace, onInitialFailure)
  }, [])

  return {
    place,
    address,
    fault: fault === null ? null : t(`account.${fault}`),
    locating,
    locate: () => {
      setLocating(canLocate())
      setFault(canLocate() ? null : 'geolocationUnsupported')
      const request = ++requests.current
      if (canLocate()) currentPlace().then(onLocated(request, edits.current), onLocationFailed(request))
    },
    move: (to: Coordinates) => {
      moveTo(to, edits.current)
    },
    setAddress: (to: string) => {
      edits.current += 1
      setAddress(to)
    },
  }
}
