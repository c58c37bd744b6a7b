import type { Look, TilePlace, WorkerMessage, Wish } from './tile'

/** Has our base map drawn by a worker: the page stays free to follow a driver. */
export class CityPainter {
  /** Whom the map is owed to. */
  readonly credit: string
  readonly #worker: Worker
  readonly #wanted = new Map<number, (image: ImageBitmap) => void>()
  #asked = 0

  constructor(worker: Worker, credit: string) {
    this.credit = credit
    this.#worker = worker
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
      if ('tile' in data) this.#give(data.tile, data.image)
    })
  }

  /** Asks for a tile. What is returned says that it is no longer wanted. */
  paint(at: TilePlace, look: Look, take: (image: ImageBitmap) => void): () => void {
    const tile = (this.#asked += 1)
    this.#wanted.set(tile, take)
    this.#post({ tile, at: { x: at.x, y: at.y, z: at.z }, ...look })
    return () => {
      if (this.#wanted.delete(tile)) this.#post({ unwanted: tile })
    }
  }

  #post(wish: Wish): void {
    this.#worker.postMessage(wish)
  }

  #give(tile: number, image: ImageBitmap): void {
    const take = this.#wanted.get(tile)
    this.#wanted.delete(tile)
    if (take === undefined) image.close()
    else take(image)
  }
}

let opening: Promise<CityPainter> | undefined

/** The painter of all maps of the page. If it could not start, the next map starts another. */
export function openPainter(): Promise<CityPainter> {
  opening ??= begin().catch((cause: unknown) => {
    opening = undefined
    throw cause
  })
  return opening
}

function begin(): Promise<CityPainter> {
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
