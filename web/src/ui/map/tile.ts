// Tiles of our base map, and what the page and the worker that draws them tell each other.

/** The side of a tile, in CSS pixels. */
export const TILE = 256

/** The place of a tile: its column, row and zoom. */
export interface TilePlace {
  x: number
  y: number
  z: number
}

/** The look of a tile. */
export interface Look {
  scheme: 'light' | 'dark'
  /** Pixels of the screen to one of CSS. */
  sharpness: number
}

/** To the worker: to draw a tile, or that one is no longer wanted. */
export type Wish = (Look & { tile: number; at: TilePlace }) | { unwanted: number }

/** From the worker: that it has read the city, and a tile that it has drawn. */
export type WorkerMessage = { credit: string } | { tile: number; image: ImageBitmap }
