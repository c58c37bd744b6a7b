import { useQuery } from '@tanstack/react-query'

import { adminsQuery } from '@/api/operator'
import { useSessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'

import classes from './console.module.css'
import { shortId } from './format'

/** The actor of an event: a service, an administrator by name, any other account by the end of its id. */
export function ActorName({ actor }: { actor: string }) {
  const t = useTexts()
  const user = useSessionUser()
  // Only administrators may list accounts; an operator alone may not.
  const { data: admins } = useQuery({ ...adminsQuery(), enabled: user?.role === 'admin' })
  if (actor === user?.id) return <span title={actor}>{t('operator.you')}</span>
  const admin = admins?.find((one) => one._id === actor)
  if (admin !== undefined) return <span title={actor}>{admin.email}</span>
  return (
    <span className={classes.code} title={actor}>
      {shortId(actor)}
    </span>
  )
}
