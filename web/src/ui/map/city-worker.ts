// The worker that draws our base map. Reading the city, placing its names and painting keep a thread busy, and that
// of the page is to answer touches and to follow a driver.

import figtree from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url'

import { type City, loadCity } from './city-data'
import { FACE, NameLayout } from './city-names'
import { paintCity, viewOf } from './city-paint'
import { palettes } from './palette'
import type { TileStyle, TileCoords, WorkerMessage, PainterRequest } from './tile'

declare global {
  /** The worker's fonts: a worker does not see those of the page. */
  var fonts: FontFaceSet
}

const queue = new Map<number, () => void>()

async function start(): Promise<void> {
  const [city] = await Promise.all([loadCity(), loadFont()])
  const painter = new Painter(city)
  addEventListener('message', ({ data }: MessageEvent<PainterRequest>) => {
    if ('unwanted' in data) queue.delete(data.unwanted)
    else enqueue(data.tile, () => {
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

/** Paints one tile after the other: in between, messages cancel tiles. */
function enqueue(tile: number, work: () => void): void {
  if (queue.size === 0) setTimeout(runNext)
  queue.set(tile, work)
}

function runNext(): void {
  const [first] = queue
  if (first === undefined) return
  const [tile, work] = first
  queue.delete(tile)
  if (queue.size > 0) setTimeout(runNext)
  work()
}

class Painter {
  readonly #city: City
  readonly #layouts = new Map<number, NameLayout>()

  constructor(city: City) {
    this.#city = city
  }

  paint(at: TileCoords, { scheme, pixelRatio }: TileStyle): ImageBitmap {
    const view = viewOf(at)
    const pixels = Math.ceil(view.size * pixelRatio)
    const canvas = new OffscreenCanvas(pixels, pixels)
    const ctx = canvas.getContext('2d', { alpha: false })
    if (ctx === null) throw new Error('The browser gives no canvas to draw on.')
    ctx.scale(pixels / view.size, pixels / view.size)
    paintCity(ctx, view, this.#city, palettes[scheme])
    this.#layoutOf(at.z).paint(ctx, view, palettes[scheme])
    return canvas.transferToImageBitmap()
  }

  #layoutOf(zoom: number): NameLayout {
    const known = this.#layouts.get(zoom)
    if (known !== undefined) return known
    const made = new NameLayout(this.#city, zoom)
    this.#layouts.set(zoom, made)
    return made
  }
}

// The page gets a message.
start().catch(reportError)
