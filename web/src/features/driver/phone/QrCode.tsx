import { encode } from 'uqr'

import classes from './phone.module.css'

/** The quiet zone around a QR code, in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4

/** A text as a QR code. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'L', border: QUIET_ZONE })
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${String(x)} ${String(y)}h1v1h-1z` : '')))
  return (
    <svg className={classes.qr} viewBox={`0 0 ${String(size)} ${String(size)}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={dark.join('')} />
    </svg>
  )
}
