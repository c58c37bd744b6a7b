import { Group, Text } from '@mantine/core'
import { Link } from 'react-router'

import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'

import classes from './Brand.module.css'

const NAME = 'Tiffin'

/** The lunch box of `public/favicon.svg`, drawn in place: the first thing that is seen waits for no file. */
function Mark() {
  return (
    <svg viewBox="0 0 64 64" width={30} height={30} aria-hidden>
      <rect width="64" height="64" rx="16" fill="#bb4311" />
      <path d="M16 46 V24 a16 11 0 0 1 32 0 v22" fill="none" stroke="#ffc5a1" strokeWidth="3.5" />
      <g fill="#fff">
        <path d="M22 24 a10 5 0 0 1 20 0z" />
        <rect x="19" y="25" width="26" height="8" rx="3" />
        <rect x="19" y="34.5" width="26" height="8" rx="3" />
        <rect x="19" y="44" width="26" height="8" rx="3" />
      </g>
    </svg>
  )
}

export function Brand() {
  const t = useTexts()
  return (
    <Link to={paths.home()} className={classes.brand} aria-label={t('app.brandHome')}>
      <Group gap={8} wrap="nowrap">
        <Mark />
        <Text component="span" className={classes.name}>
          {NAME}
        </Text>
      </Group>
    </Link>
  )
}
