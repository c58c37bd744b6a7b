import { IconBike, IconBuildingStore, IconClipboardList, IconUserCheck } from '@tabler/icons-react'

import { SharingProvider } from '@/features/driver/SharingProvider'
import { paths } from '@/lib/paths'

import { Guard } from './Guard'
import { PanelShell } from './PanelShell'

export function OwnerPanel() {
  return (
    <Guard role="restaurant">
      <PanelShell
        title="Restaurant Owner Panel"
        links={[
          { to: paths.owner.orders(), label: 'Restaurant Order', Icon: IconClipboardList },
          { to: paths.owner.restaurants(), label: 'Restaurant', Icon: IconBuildingStore },
        ]}
      />
    </Guard>
  )
}

export function DriverPanel() {
  return (
    <Guard role="delivery">
      <SharingProvider>
        <PanelShell
          title="Driver Panel"
          links={[
            { to: paths.driver.available(), label: 'Available', Icon: IconUserCheck },
            { to: paths.driver.track(), label: 'Delivery', Icon: IconBike },
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
