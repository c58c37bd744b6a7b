import { Textarea, type TextareaProps } from '@mantine/core'

import classes from './GrowingTextarea.module.css'

/** A field that grows with its words from two rows, or three, by the style sheet alone: measuring would cost a layout. */
export function GrowingTextarea({ rows = 2, ...rest }: Omit<TextareaProps, 'rows' | 'classNames' | 'autosize'> & { rows?: 2 | 3 }) {
  return <Textarea rows={rows} classNames={{ input: classes.input ?? '' }} {...rest} />
}
