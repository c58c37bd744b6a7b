import type { SuggestedDriver } from '@/api/generated/types.gen'
import type { useTexts } from '@/lib/texts'

type Texts = ReturnType<typeof useTexts>

/** The time at which a suggested driver is at the door. */
export function doorText({ minutes, reason }: Pick<SuggestedDriver, 'minutes' | 'reason'>, t: Texts): string {
  return t(reason.code === 'place_unknown' ? 'owner.atDoorAbout' : 'owner.atDoor', { minutes })
}

/** The reason for a driver's rank. A street is named for the owner's own orders alone. */
export function reasonText({ reason }: Pick<SuggestedDriver, 'reason'>, t: Texts): string {
  switch (reason.code) {
    case 'free':
      return t('owner.reasonFree')
    case 'same_restaurant':
      return t('owner.reasonSameRestaurant')
    case 'on_the_way':
      return t('owner.reasonOnTheWay')
    case 'place_unknown':
      return t('owner.reasonPlaceUnknown')
    case 'brings_first':
      return reason.address == null || reason.minutes == null
        ? t('owner.reasonBringsFirst')
        : t('owner.reasonBringsFirstAt', { address: reason.address, minutes: reason.minutes })
  }
}
