// The worker that draws our base map. Reading the city, placing its names and painting keep a thread busy, and that
// of the page is to answer touches and to follow a driver.

import figtree from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url'

import { type City, loadCity } from './city-data'
import { FACE, Names } from './city-names'
import { paintCity, viewOf } from './city-paint'
import { palettes } from './palette'
import type { Look, TilePlace, WorkerMessage, Wish } from './tile'

declare global {
  /** A worker has separate fonts, and sees none of the page's. */
  var fonts: FontFaceSet
}

const waiting = new Map<number, () => void>()

async function begin(): Promise<void> {
  const [city] = await Promise.all([loadCity(), loadFont()])
  const painter = new Painter(city)
  addEventListener('message', ({ data }: MessageEvent<Wish>) => {
    if ('unwanted' in data) waiting.delete(data.unwanted)
    else later(data.tile, () => {
      const image = painter.paint(data.at, data)
      post({ tile: data.tile, image }, [image])
    })
  })
  post({ credit: city.credit })
}

/** Without it names are written in the system's. */
async function loadFont(): Promise<void> {
  const face = new FontFace(FACE, `url(${figtree})`, { weight: '300 900' })
  await face.load().then((loaded) => fonts.add(loaded)).catch(() => undefined)
}

function post(message: WorkerMessage, transfer: Transferable[] = []): void {
  postMessage(message, { transfer })
}

/** One tile after the other: in between it hears which are no longer wanted. */
function later(tile: number, work: () => void): void {
  if (waiting.size === 0) setTimeout(next)
  waiting.set(tile, work)
}

function next(): void {
  const [first] = waiting
  if (first === undefined) return
  const [tile, work] = first
  waiting.delete(tile)
  if (waiting.size > 0) setTimeout(next)
  work()
}

class Painter {
  readonly #city: City
  readonly #names = new Map<number, Names>()

  constructor(city: City) {
    this.#city = city
  }

  paint(at: TilePlace, { scheme, sharpness }: Look): ImageBitmap {
    const view = viewOf(at)
    const pixels = Math.ceil(view.size * sharpness)
    const canvas = new OffscreenCanvas(pixels, pixels)
    const ctx = canvas.getContext('2d', { alpha: false })
    if (ctx === null) throw new Error('The browser gives no canvas to draw on.')
    ctx.scale(pixels / view.size, pixels / view.size)
    paintCity(ctx, view, this.#city, palettes[scheme])
    this.#namesOf(at.z).paint(ctx, view, palettes[scheme])
    return canvas.transferToImageBitmap()
  }

  #namesOf(zoom: number): Names {
    const known = this.#names.get(zoom)
    if (known !== undefined) return known
    const made = new Names(this.#city, zoom)
    this.#names.set(zoom, made)
    return made
  }
}

// The page gets a message.
begin().catch(reportError)
