import { useEffect, useEffectEvent, useRef, useState } from 'react'

import { addressAt } from '@/api/geocode'
import { canLocate, currentPlace, type Place } from '@/lib/geolocation'
import { useTexts } from '@/lib/texts'

/** The first place of the pin without any other: the middle of the base map's city. */
const CITY: Place = { lat: 6.9147, lng: 79.862 }

type Fault = 'geolocationUnsupported' | 'locationAccessFailed' | 'locationDetailsFailed'

/** The customer's address of delivery, as far as it is known. */
export interface Home {
  address: string
  lat?: number | null
  lng?: number | null
}

/** The place on the map and its address, which follow each other. The device is asked once at the start. */
export function usePlace(home: Home | undefined) {
  const t = useTexts()
  const known = home?.lat != null && home.lng != null ? { lat: home.lat, lng: home.lng } : null
  const [place, setPlace] = useState(known ?? CITY)
  const [address, setAddress] = useState(home?.address ?? '')
  const [fault, setFault] = useState<Fault | null>(canLocate() ? null : 'geolocationUnsupported')
  const [locating, setLocating] = useState(canLocate())
  /** Counts what was asked for, so that a late answer changes nothing. */
  const turn = useRef(0)
  /** Counts edits: an address that was typed is better than the answer to an older request. */
  const typed = useRef(0)

  const go = (to: Place, typedBefore: number) => {
    const mine = ++turn.current
    const isWanted = () => mine === turn.current && typedBefore === typed.current
    setFault(null)
    setPlace(to)
    addressAt(to).then(
      (found) => {
        if (isWanted() && found !== null) setAddress(found)
      },
      () => {
        if (isWanted()) setFault('locationDetailsFailed')
      },
    )
  }
  const arrive = (mine: number, typedBefore: number) => (here: Place) => {
    setLocating(false)
    // A pin that was moved meanwhile is better.
    if (mine === turn.current) go(here, typedBefore)
  }
  const fail = (mine: number) => () => {
    setLocating(false)
    if (mine === turn.current) setFault('locationAccessFailed')
  }

  const begun = useEffectEvent((here: Place) => {
    arrive(0, 0)(here)
  })
  const refused = useEffectEvent(() => {
    fail(0)()
  })
  useEffect(() => {
    if (canLocate()) currentPlace().then(begun, refused)
  }, [])

  return {
    place,
    address,
    fault: fault === null ? null : t(`account.${fault}`),
    locating,
    locate: () => {
      setLocating(canLocate())
      setFault(canLocate() ? null : 'geolocationUnsupported')
      const mine = ++turn.current
      if (canLocate()) currentPlace().then(arrive(mine, typed.current), fail(mine))
    },
    move: (to: Place) => {
      go(to, typed.current)
    },
    setAddress: (to: string) => {
      typed.current += 1
      setAddress(to)
    },
  }
}
