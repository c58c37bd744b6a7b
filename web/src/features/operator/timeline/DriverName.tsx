import { useQuery } from '@tanstack/react-query'

import { driversQuery } from '@/api/drivers'
import { shortId } from '@/features/operator/format'
import { useSessionUser } from '@/lib/session'

/** A driver's name; the end of the id to operators, who may not list drivers. */
export function DriverName({ id }: { id: string }) {
  const isAdmin = useSessionUser()?.role === 'admin'
  const { data } = useQuery({ ...driversQuery(), enabled: isAdmin })
  const driver = data?.find(({ _id }) => _id === id)
  return <span title={id}>{driver === undefined ? shortId(id) : `${driver.firstName} ${driver.lastName}`}</span>
}
