import { Group, Text } from '@mantine/core'
import { Link } from 'react-router'

import { paths } from '@/lib/paths'

import classes from './Brand.module.css'

export function Brand() {
  return (
    <Link to={paths.home()} className={classes.brand} aria-label="Tiffin, home">
      <Group gap={8} wrap="nowrap">
        <img src="/favicon.svg" alt="" width={30} height={30} />
        <Text component="span" className={classes.name}>
          Tiffin
        </Text>
      </Group>
    </Link>
  )
}
