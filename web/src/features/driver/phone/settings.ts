import { serviceUrl } from '@/lib/config'

/** The programs that share a place while the phone is locked. */
export const PROGRAMS = { traccar: 'Traccar Client', ownTracks: 'OwnTracks' } as const
export type Program = keyof typeof PROGRAMS

/** The settings of a program, and the link that sets all of them. */
export interface Settings {
  link: string
  fields: { name: 'ServerAddress' | 'Identifier' | 'UserName' | 'Password'; value: string }[]
}

// Seconds and metres: a place every quarter of a minute of driving.
const INTERVAL = 15
const DISTANCE = 25
const USER = 'driver'

/** The address of a program's endpoint, as the phone reaches it. */
function address(path: string): string {
  return new URL(`${serviceUrl('delivery')}/api/v1/delivery/phone/${path}`, window.location.origin).href
}

/** The settings of a program with a token. */
export function settingsOf(program: Program, token: string): Settings {
  return program === 'traccar' ? traccar(token) : ownTracks(token)
}

/** Traccar Client takes the query of its server's address as its settings; it sends to the address without them. */
function traccar(token: string): Settings {
  const url = address('traccar')
  const query = new URLSearchParams({
    id: token,
    accuracy: 'highest',
    distance: String(DISTANCE),
    interval: String(INTERVAL),
    fastest_interval: String(INTERVAL),
    buffer: 'true',
    stop_detection: 'false',
  })
  return {
    link: `${url}?${query.toString()}`,
    fields: [
      { name: 'ServerAddress', value: url },
      { name: 'Identifier', value: token },
    ],
  }
}

/** OwnTracks takes a configuration in base64 (https://owntracks.org/booklet/features/remoteconfig/). */
function ownTracks(token: string): Settings {
  const url = address('owntracks')
  const configuration = {
    _type: 'configuration',
    // HTTP, and moving: places by time and way.
    mode: 3,
    monitoring: 2,
    url,
    auth: true,
    username: USER,
    password: token,
    deviceId: 'phone',
    tid: 'DR',
    locatorInterval: INTERVAL,
    locatorDisplacement: DISTANCE,
  }
  return {
    link: `owntracks:///config?inline=${encodeURIComponent(btoa(JSON.stringify(configuration)))}`,
    fields: [
      { name: 'ServerAddress', value: url },
      { name: 'UserName', value: USER },
      { name: 'Password', value: token },
    ],
  }
}
