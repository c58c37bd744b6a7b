import type { ComponentProps } from 'react'

import classes from './board.module.css'

/** A small button with an icon, on a ticket. */
export function CardAction(props: ComponentProps<'button'>) {
  return <button type="button" className={`mantine-focus-auto ${classes.action}`} {...props} />
}
