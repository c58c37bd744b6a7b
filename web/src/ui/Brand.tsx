import { Group, Text } from '@mantine/core'
import { Link } from 'react-router'

import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'

import classes from './Brand.module.css'

const NAME = 'Tiffin'

export function Brand() {
  const t = useTexts()
  return (
    <Link to={paths.home()} className={classes.brand} aria-label={t('app.brandHome')}>
      <Group gap={8} wrap="nowrap">
        <img src="/favicon.svg" alt="" width={30} height={30} />
        <Text component="span" className={classes.name}>
          {NAME}
        </Text>
      </Group>
    </Link>
  )
}
