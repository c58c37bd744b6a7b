import { text, type TextId } from '@/lib/texts'

export const categories = ['fastfood', 'familymeals', 'dessert'] as const

const labels: Record<string, TextId> = {
  fastfood: 'catalogue.fastfood',
  familymeals: 'catalogue.familymeals',
  dessert: 'catalogue.dessert',
}

/** The words for a category, for any spelling of it. */
export function categoryLabel(value: string): string {
  const label = labels[value.toLowerCase()]
  return label === undefined ? value : text(label)
}
