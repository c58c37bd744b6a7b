import { IconBike, IconBuildingStore, IconClipboardList, IconUserCheck } from '@tabler/icons-react'

import { SharingProvider } from '@/features/driver/SharingProvider'
import { ArrivalsProvider } from '@/features/owner/ArrivalsProvider'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'

import { Guard } from './Guard'
import { PanelShell } from './PanelShell'

export function OwnerPanel() {
  const t = useTexts()
  return (
    <Guard role="restaurant">
      <ArrivalsProvider>
        <PanelShell
          title={t('owner.panel')}
          links={[
            { to: paths.owner.orders(), label: t('owner.restaurantOrder'), Icon: IconClipboardList },
            { to: paths.owner.restaurants(), label: t('owner.restaurant'), Icon: IconBuildingStore },
          ]}
        />
      </ArrivalsProvider>
    </Guard>
  )
}

export function DriverPanel() {
  const t = useTexts()
  return (
    <Guard role="delivery">
      <SharingProvider>
        <PanelShell
          title={t('driver.panel')}
          links={[
            { to: paths.driver.available(), label: t('driver.available'), Icon: IconUserCheck },
            { to: paths.driver.track(), label: t('driver.delivery'), Icon: IconBike },
          ]}
        />
      </SharingProvider>
    </Guard>
  )
}

export function AdminPanel() {
  return (
    <Guard role="admin">
      <PanelShell
        title="Admin Panel"
        links={[{ to: paths.admin.orders(), label: 'Orders', Icon: IconClipboardList }]}
      />
    </Guard>
  )
}
