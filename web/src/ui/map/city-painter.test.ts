import { describe, expect, it, vi } from 'vitest'

import { CityPainter } from './city-painter'
import type { WorkerMessage } from './tile'

const style = { scheme: 'dark', pixelRatio: 2 } as const
const place = { x: 5913, y: 3937, z: 13 }

/** The page's end of a worker: messages to it are noted, and the test sends its answers. */
class WorkerEnd extends EventTarget implements Worker {
  readonly received: unknown[] = []
  onmessage = null
  onmessageerror = null
  onerror = null

  postMessage(message: unknown) {
    this.received.push(message)
  }

  terminate() {}

  respond(data: WorkerMessage) {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

function newPainter() {
  const worker = new WorkerEnd()
  return { worker, painter: new CityPainter(worker, 'the city') }
}

function newImage() {
  return { width: 512, height: 512, close: vi.fn() }
}

describe('the painter of a map', () => {
  it('requests each tile, and returns each to its caller', () => {
    const { worker, painter } = newPainter()
    const [takeFirst, takeSecond] = [vi.fn(), vi.fn()]
    painter.paint(place, style, takeFirst)
    painter.paint({ ...place, x: 5914 }, style, takeSecond)
    expect(worker.received).toEqual([
      { tile: 1, at: place, ...style },
      { tile: 2, at: { ...place, x: 5914 }, ...style },
    ])
    const image = newImage()
    worker.respond({ tile: 2, image })
    expect(takeSecond).toHaveBeenCalledExactlyOnceWith(image)
    expect(takeFirst).not.toHaveBeenCalled()
    expect(image.close).not.toHaveBeenCalled()
  })

  it('cancels an unwanted tile, and closes an image that comes after that', () => {
    const { worker, painter } = newPainter()
    const take = vi.fn()
    const leave = painter.paint(place, style, take)
    leave()
    expect(worker.received.at(-1)).toEqual({ unwanted: 1 })
    const image = newImage()
    worker.respond({ tile: 1, image })
    expect(take).not.toHaveBeenCalled()
    expect(image.close).toHaveBeenCalledOnce()
  })

  it('does not cancel a tile that is drawn', () => {
    const { worker, painter } = newPainter()
    const leave = painter.paint(place, style, vi.fn())
    worker.respond({ tile: 1, image: newImage() })
    leave()
    expect(worker.received).toHaveLength(1)
  })
})
