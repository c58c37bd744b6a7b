import {
  IconBike,
  IconBuildingStore,
  IconChartBar,
  IconClipboardList,
  IconCreditCard,
  IconLayoutDashboard,
  IconMessageQuestion,
  IconStar,
  IconTimelineEvent,
  IconUserCheck,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react'

import { OutboxProvider } from '@/features/driver/outbox/OutboxProvider'
import { SharingProvider } from '@/features/driver/SharingProvider'
import { NewOrdersProvider } from '@/features/owner/NewOrdersProvider'
import { paths } from '@/lib/paths'
import { useSessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'

import { PanelShell } from './PanelShell'

export function OwnerPanel() {
  const t = useTexts()
  return (
    <NewOrdersProvider>
      <PanelShell
        title={t('owner.panel')}
        links={[
          { to: paths.owner.orders(), label: t('owner.restaurantOrder'), Icon: IconClipboardList },
          { to: paths.owner.restaurants(), label: t('owner.restaurant'), Icon: IconBuildingStore },
          { to: paths.owner.profile(), label: t('owner.profile'), Icon: IconUserCircle },
          { to: paths.owner.reviews(), label: t('owner.reviews'), Icon: IconStar },
          { to: paths.owner.figures(), label: t('owner.navFigures'), Icon: IconChartBar },
        ]}
      />
    </NewOrdersProvider>
  )
}

export function DriverPanel() {
  const t = useTexts()
  return (
    <OutboxProvider>
      <SharingProvider>
        <PanelShell
          title={t('driver.panel')}
          links={[
            { to: paths.driver.available(), label: t('driver.available'), Icon: IconUserCheck },
            { to: paths.driver.track(), label: t('driver.delivery'), Icon: IconBike },
          ]}
        />
      </SharingProvider>
    </OutboxProvider>
  )
}

/** The administrators' panel, and the operators'. */
export function AdminPanel() {
  const t = useTexts()
  const user = useSessionUser()
  const history = { to: paths.operator.streams(), label: t('admin.navEvents'), Icon: IconTimelineEvent }
  const profile = { to: paths.admin.profile(), label: t('admin.navProfile'), Icon: IconUserCircle }
  if (user?.role === 'operator') return <PanelShell title={t('admin.operatorPanel')} links={[history, profile]} />
  return (
    <PanelShell
      title={t('admin.panel')}
      links={[
        { to: paths.admin.root(), label: t('admin.navDashboard'), Icon: IconLayoutDashboard },
        { to: paths.admin.orders(), label: t('admin.navOrders'), Icon: IconClipboardList },
        { to: paths.admin.restaurants(), label: t('admin.navRestaurants'), Icon: IconBuildingStore },
        { to: paths.admin.users(), label: t('admin.navUsers'), Icon: IconUsers },
        { to: paths.admin.reviews(), label: t('admin.navReviews'), Icon: IconStar },
        { to: paths.admin.inquiries(), label: t('admin.navInquiries'), Icon: IconMessageQuestion },
        { to: paths.admin.payments(), label: t('admin.navPayments'), Icon: IconCreditCard },
        ...(user?.isOperator === true ? [history] : []),
        profile,
      ]}
    />
  )
}
