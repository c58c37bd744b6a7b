import { ItemUpdate } from '@/features/owner/ItemUpdatePage'
import { paths } from '@/lib/paths'

const links = {
  done: () => paths.admin.items(),
  list: (restaurantId: string) => paths.admin.items({ restaurantId }),
}

/** The owner's form for an item, in the administrator's panel. */
export function AdminItemEdit() {
  return <ItemUpdate links={links} />
}
