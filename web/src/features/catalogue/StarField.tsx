import { VisuallyHidden } from '@mantine/core'
import { IconBan, IconStar, IconStarFilled } from '@tabler/icons-react'
import { useId } from 'react'

import { useTexts } from '@/lib/texts'

import classes from './product.module.css'

const RATINGS = [0, 1, 2, 3, 4, 5]

interface Props {
  value: number
  onChange: (value: number) => void
}

/** 0 to 5 stars, as the radio buttons of one group: the arrow keys choose. */
export function StarField({ value, onChange }: Props) {
  const t = useTexts()
  const name = useId()
  return (
    <fieldset className={classes.stars} role="radiogroup" aria-label={t('catalogue.rating')}>
      {RATINGS.map((rating) => {
        const Icon = rating === 0 ? IconBan : rating <= value ? IconStarFilled : IconStar
        return (
          <label key={rating} className={classes.star} data-none={rating === 0 || undefined}>
            <input
              type="radio"
              name={name}
              value={rating}
              checked={rating === value}
              onChange={() => {
                onChange(rating)
              }}
            />
            <Icon size={rating === 0 ? 20 : 30} aria-hidden />
            <VisuallyHidden>{t('catalogue.stars', { count: rating })}</VisuallyHidden>
          </label>
        )
      })}
    </fieldset>
  )
}
