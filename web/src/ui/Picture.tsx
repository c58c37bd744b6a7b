import { useState } from 'react'

import classes from './Picture.module.css'

const defaults = {
  dish: '/art/dish.svg',
  restaurant: '/art/restaurant.svg',
  person: '/art/person.svg',
}

interface Props {
  src: string | null | undefined
  alt: string
  /** The drawing to show without a picture, or if it can't be loaded. */
  kind: keyof typeof defaults
  /** Intrinsic size in CSS pixels, so that nothing moves when the picture comes. */
  width: number
  height: number
  /** Fills the width of its box, keeping the ratio of width and height. */
  fluid?: boolean
  round?: boolean
  eager?: boolean
}

export function Picture({ src, alt, kind, width, height, fluid = false, round = false, eager = false }: Props) {
  const [broken, setBroken] = useState<string | null>(null)
  const shown = !src || src === broken ? defaults[kind] : src
  return (
    <img
      className={classes.picture}
      src={shown}
      alt={alt}
      width={width}
      height={height}
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : 'auto'}
      // A picture in the first view is decoded along with its frame, not one frame later.
      decoding={eager ? 'sync' : 'async'}
      data-round={round || undefined}
      style={fluid ? { width: '100%', height: 'auto', aspectRatio: `${width} / ${height}` } : { width, height }}
      onError={() => {
        if (src) setBroken(src)
      }}
    />
  )
}
