import { Button } from '@mantine/core'
import { Link } from 'react-router'

import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { Empty } from '@/ui/states'

/** The notice of a page that was opened without a restaurant or an item. */
export function NoSelection() {
  const t = useTexts()
  return (
    <Empty text={t('owner.chooseFirst')} art="nothing-found">
      <Button component={Link} to={paths.owner.restaurants()}>
        {t('owner.toRestaurants')}
      </Button>
    </Empty>
  )
}
