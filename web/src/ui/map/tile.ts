// Tiles of our base map, and the messages between the page and the worker that draws them.

/** The side of a tile, in CSS pixels. */
export const TILE = 256

/** The coordinates of a tile: its column, row and zoom. */
export interface TileCoords {
  x: number
  y: number
  z: number
}

/** The style of a tile. */
export interface TileStyle {
  scheme: 'light' | 'dark'
  /** Pixels of the screen to one of CSS. */
  pixelRatio: number
}

/** To the worker: to draw a tile, or that one is no longer wanted. */
export type PainterRequest = (TileStyle & { tile: number; at: TileCoords }) | { unwanted: number }

/** From the worker: that it has read the city, and a tile that it has drawn. */
export type WorkerMessage = { credit: string } | { tile: number; image: ImageBitmap }
