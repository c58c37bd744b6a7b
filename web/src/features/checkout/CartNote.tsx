import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'

import { cart } from '@/lib/cart'
import { useTexts } from '@/lib/texts'
import { GrowingTextarea } from '@/ui/GrowingTextarea'

import type { CartRow } from './cart-groups'

/** The most characters of a note. */
const MAX_NOTE = 200

/** The customer's words to the kitchen about a dish: a button until there are some, then a field. */
export function CartNote({ row: { item, note } }: { row: CartRow }) {
  const t = useTexts()
  const [isOpen, setOpen] = useState(false)
  if (!isOpen && note === '') {
    return (
      <Button
        size="compact-sm"
        variant="subtle"
        ml={-8}
        leftSection={<IconPencil size={15} aria-hidden />}
        aria-label={t('checkout.addNoteOn', { name: item.name })}
        onClick={() => {
          setOpen(true)
        }}
      >
        {t('checkout.addNote')}
      </Button>
    )
  }
  return (
    <GrowingTextarea
      mt={6}
      label={t('checkout.noteOn', { name: item.name })}
      placeholder={t('checkout.notePlaceholder')}
      description={t(note.length < MAX_NOTE ? 'checkout.noteCount' : 'checkout.noteFull', { count: note.length, most: MAX_NOTE })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      autoFocus={isOpen}
      maxLength={MAX_NOTE}
      value={note}
      onChange={(event) => {
        setOpen(true)
        cart.setNote(item._id, event.currentTarget.value || undefined)
      }}
    />
  )
}
