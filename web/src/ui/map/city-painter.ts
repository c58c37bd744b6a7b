import type { TileStyle, TileCoords, WorkerMessage, PainterRequest } from './tile'

/** Has our base map drawn by a worker: the page stays free to follow a driver. */
export class CityPainter {
  /** The credit for the map's data. */
  readonly credit: string
  readonly #worker: Worker
  readonly #pending = new Map<number, (image: ImageBitmap) => void>()
  #lastTile = 0

  constructor(worker: Worker, credit: string) {
    this.credit = credit
    this.#worker = worker
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
      if ('tile' in data) this.#deliver(data.tile, data.image)
    })
  }

  /** Asks for a tile. The returned function cancels the request. */
  paint(at: TileCoords, style: TileStyle, onPainted: (image: ImageBitmap) => void): () => void {
    const tile = (this.#lastTile += 1)
    this.#pending.set(tile, onPainted)
    this.#post({ tile, at: { x: at.x, y: at.y, z: at.z }, ...style })
    return () => {
      if (this.#pending.delete(tile)) this.#post({ unwanted: tile })
    }
  }

  #post(request: PainterRequest): void {
    this.#worker.postMessage(request)
  }

  #deliver(tile: number, image: ImageBitmap): void {
    const onPainted = this.#pending.get(tile)
    this.#pending.delete(tile)
    if (onPainted === undefined) image.close()
    else onPainted(image)
  }
}

let opening: Promise<CityPainter> | undefined

/** The painter of all maps of the page. If it could not start, the next map starts another. */
export function openPainter(): Promise<CityPainter> {
  opening ??= startPainter().catch((cause: unknown) => {
    opening = undefined
    throw cause
  })
  return opening
}

function startPainter(): Promise<CityPainter> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./city-worker.ts', import.meta.url), { type: 'module' })
    worker.onerror = (event) => {
      // The map that asked for it reports the failure.
      event.preventDefault()
      worker.terminate()
      reject(new Error(event.message))
    }
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
      if (!('credit' in data)) return
      worker.onerror = null
      worker.onmessage = null
      resolve(new CityPainter(worker, data.credit))
    }
  })
}
