import { AccuracySection } from '@/features/accuracy/AccuracySection'
import { DashboardPage } from '@/features/admin/DashboardPage'

/** The number of days that the scores are of. */
const DAYS = 30

/** The dashboard with the accuracy of arrival times below it: two features, put together here. */
export function AdminDashboard() {
  return <DashboardPage accuracy={<AccuracySection days={DAYS} />} />
}
