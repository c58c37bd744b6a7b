export const categories = [
  { value: 'fastfood', label: 'Fast Food', hint: 'Quick, hot, in hand' },
  { value: 'familymeals', label: 'Family Meals', hint: 'For the whole table' },
  { value: 'dessert', label: 'Dessert', hint: 'Something sweet' },
] as const

export function categoryLabel(value: string): string {
  return categories.find((category) => category.value === value.toLowerCase())?.label ?? value
}
