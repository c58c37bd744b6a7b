import { Button, Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'

import { approveItem, deleteItem } from '@/api/generated/sdk.gen'
import type { Item } from '@/api/generated/types.gen'
import { lists } from '@/api/lists'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { confirmByToast } from '@/ui/confirm'
import { toast } from '@/ui/toast'

import classes from './admin.module.css'

/** An administrator's actions on an item; only cards offer editing. */
export function ItemActions({ item, canEdit }: { item: Item; canEdit: boolean }) {
  const t = useTexts()
  const { approval, removal } = useItemActions(item)
  const remove = async () => {
    if (await confirmByToast(t('admin.areYouSureDelete'), item.name)) removal.mutate()
  }
  // No other button moves under the pointer that has just approved.
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="compact-sm"
        variant="light"
        color="red"
        aria-label={t('admin.deleteItem', { name: item.name })}
        disabled={removal.isPending}
        onClick={() => void remove()}
      >
        {t('admin.delete')}
      </Button>
      {canEdit && (
        <Button
          component={Link}
          to={paths.admin.itemEdit(item._id)}
          state={{ id: item._id, item }}
          size="compact-sm"
          variant="default"
          aria-label={t('admin.editItem', { name: item.name })}
        >
          {t('admin.edit')}
        </Button>
      )}
      <Button
        size="compact-sm"
        className={classes.approval ?? ''}
        data-done={item.approve || undefined}
        aria-label={t('admin.approveItem', { name: item.name })}
        disabled={approval.isPending || item.approve}
        onClick={() => {
          approval.mutate()
        }}
      >
        {t('admin.approve')}
      </Button>
    </Group>
  )
}

function useItemActions({ _id: id }: Item) {
  const t = useTexts()
  const queries = useQueryClient()
  const reload = () => queries.invalidateQueries({ queryKey: lists.items.key })
  const approval = useMutation({
    mutationFn: () => approveItem({ path: { id } }),
    onSuccess: () => {
      toast.success(t('admin.itemApproved'))
    },
    onError: () => {
      toast.error(t('admin.itemApproveFailed'))
    },
    onSettled: reload,
  })
  const removal = useMutation({
    mutationFn: () => deleteItem({ path: { id } }),
    onSuccess: () => {
      toast.success(t('admin.itemDeleted'))
    },
    onError: () => {
      toast.error(t('admin.itemDeleteFailed'))
    },
    onSettled: reload,
  })
  return { approval, removal }
}
