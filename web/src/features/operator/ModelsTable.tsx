import { Badge, Button, Checkbox, Group } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import type { ConsumerView, ReplayView } from '@/api/generated/types.gen'
import { longOperationsQuery, OPERATOR, rebuildModel, rollBackModel, verifyModel } from '@/api/operator'
import { type TextId, useTexts } from '@/lib/texts'
import type { Column } from '@/ui/table/columns'
import { DataTable } from '@/ui/table/DataTable'
import { toast } from '@/ui/toast'

import { momentText } from './format'
import { ReasonDialog } from './ReasonDialog'
import { isUnderWay, readReport } from './operation-progress'
import classes from './operations.module.css'

type Act = 'verify' | 'rebuild' | 'rollback'

/** A read model that can be rebuilt, and its name. */
type Model = Pick<ConsumerView, 'name' | 'tables'>

/** The event log: it belongs to no single consumer, and is rebuilt from the streams on demand. */
export const LOG: Model = { name: 'event-log', tables: ['events'] }

/** The audit, each event of which names the hash of the one before it. */
export const AUDIT: Model = { name: 'audit', tables: ['OPERATIONS'] }

/** The archive of old events: the hashes of its segments. */
export const ARCHIVE = 'archive'

const LOG_MESSAGES: Record<Act, TextId> = {
  verify: 'operator.verifyLogMessage',
  rebuild: 'operator.rebuildLogMessage',
  rollback: 'operator.rollBackMessage',
}

const ACTS: Record<Act, { title: TextId; message: TextId; confirm: TextId; does: (consumer: string, reason: string, fromFirstEvent: boolean) => Promise<string | null> }> = {
  verify: {
    title: 'operator.verifyTitle',
    message: 'operator.verifyMessage',
    confirm: 'operator.verify',
    does: verifyModel,
  },
  rebuild: {
    title: 'operator.rebuildTitle',
    message: 'operator.rebuildMessage',
    confirm: 'operator.rebuild',
    does: rebuildModel,
  },
  rollback: {
    title: 'operator.rollBackTitle',
    message: 'operator.rollBackMessage',
    confirm: 'operator.rollBack',
    does: rollBackModel,
  },
}

/** The consumers with a read model, and the result of its last verification. */
export function ModelsTable({ models }: { models: Model[] }) {
  const t = useTexts()
  const queries = useQueryClient()
  const { data: operations, hasNextPage } = useInfiniteQuery(longOperationsQuery())
  const [request, setRequest] = useState<{ act: Act; consumer: string } | null>(null)
  const [isFromFirst, setFromFirst] = useState(false)
  const lastOf = (consumer: string) =>
    operations?.pages.flat().find((operation) => operation.target === consumer && (operation.verb === 'verify' || operation.verb === 'rebuild'))
  const isRebuilt = (consumer: string) =>
    operations?.pages.flat().some(({ target, verb, state }) => target === consumer && verb === 'rebuild' && state === 'done') === true
  // Older operations, which are not loaded, may have rebuilt it.
  const isNeverRebuilt = (consumer: string) => operations !== undefined && !hasNextPage && !isRebuilt(consumer)
  const columns: Column<Model>[] = [
    {
      id: 'name',
      label: t('operator.consumer'),
      cell: ({ name }) => <span className={classes.code}>{name}</span>,
    },
    {
      id: 'tables',
      label: t('operator.tables'),
      minor: true,
      cell: ({ tables }) => <span className={classes.code}>{tables.join(', ')}</span>,
    },
    { id: 'checked', label: t('operator.lastCheck'), minor: true, cell: ({ name }) => <LastCheck operation={lastOf(name)} /> },
    {
      id: 'actions',
      label: t('operator.actions'),
      cell: ({ name }) => (
        <Group gap={6}>
          {actsOf(name).map((act) => (
            <Button
              key={act}
              size="compact-xs"
              {...(act === 'verify' ? { variant: 'default' } : { variant: 'light', color: 'red' })}
              disabled={act === 'rollback' && isNeverRebuilt(name)}
              aria-label={t(ACTS[act].title, { consumer: name })}
              onClick={() => {
                setFromFirst(false)
                setRequest({ act, consumer: name })
              }}
            >
              {t(ACTS[act].confirm)}
            </Button>
          ))}
        </Group>
      ),
    },
  ]
  return (
    <>
      <DataTable
        dense
        label={t('operator.models')}
        columns={columns}
        rows={models}
        rowId={(one) => one.name}
        rowName={(one) => one.name}
        sort={null}
        onSort={() => undefined}
      />
      {request !== null && (
        <ReasonDialog
          title={t(ACTS[request.act].title, { consumer: request.consumer })}
          message={t(messageOf(request.consumer, request.act))}
          confirm={t(ACTS[request.act].confirm)}
          isGrave={request.act !== 'verify'}
          act={async (reason) => {
            const message = await ACTS[request.act].does(request.consumer, reason, isFromFirst)
            toast.success(message ?? t('operator.begun'))
            void queries.invalidateQueries({ queryKey: OPERATOR })
          }}
          onClose={() => {
            setRequest(null)
          }}
        >
          {hasSnapshot(request.consumer, request.act) && (
            <Checkbox
              label={t('operator.fromFirstEvent')}
              checked={isFromFirst}
              onChange={(event) => {
                setFromFirst(event.currentTarget.checked)
              }}
            />
          )}
        </ReasonDialog>
      )}
    </>
  )
}

function messageOf(model: string, act: Act): TextId {
  if (model === AUDIT.name) return 'operator.verifyAuditMessage'
  if (model === ARCHIVE) return 'operator.verifyArchiveMessage'
  return model === LOG.name ? LOG_MESSAGES[act] : ACTS[act].message
}

/** The actions on a model. The event log is rebuilt in place, without a roll-back; audit and archive are not rebuilt at all. */
function actsOf(model: string): Act[] {
  if (model === AUDIT.name || model === ARCHIVE) return ['verify']
  return model === LOG.name ? ['verify', 'rebuild'] : ['verify', 'rebuild', 'rollback']
}

/** True if an action may start from a snapshot: the event log, the audit and the archive are read from the first event. */
function hasSnapshot(model: string, act: Act): boolean {
  return act !== 'rollback' && ![LOG.name, AUDIT.name, ARCHIVE].includes(model)
}

function LastCheck({ operation }: { operation: ReplayView | undefined }) {
  const t = useTexts()
  if (operation === undefined) return t('operator.neverChecked')
  if (isUnderWay(operation)) return t('operator.checking')
  const { equal } = readReport(operation)
  return (
    <Group gap="xs">
      <Badge size="sm" variant="light" color={equal === undefined ? 'gray' : equal ? 'leaf' : 'red'}>
        {equal === undefined ? t('operator.notCompared') : equal ? t('operator.equal') : t('operator.differs')}
      </Badge>
      <time dateTime={operation.updatedAt} className={classes.quiet}>
        {momentText(operation.updatedAt)}
      </time>
    </Group>
  )
}
