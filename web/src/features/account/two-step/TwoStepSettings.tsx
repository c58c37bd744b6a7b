import { Button, Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { Failure, Loading } from '@/ui/states'

import { RenewRecoveryCodes } from './RenewRecoveryCodes'
import { ProofPrompt } from './ProofPrompt'
import { RecoveryCodes } from './RecoveryCodes'
import { secondFactorQuery } from './second-factor'
import { SetUpTwoStep } from './SetUpTwoStep'
import { TurnOffTwoStep } from './TurnOffTwoStep'

type Mode = 'nothing' | 'setUp' | 'turnOff' | 'newCodes'

/** The settings of two-step sign-in: turning it on or off, and new recovery codes. */
export function TwoStepSettings({ onKept }: { onKept?: () => void }) {
  const t = useTexts()
  const queries = useQueryClient()
  const { queryKey } = secondFactorQuery()
  const { data, error, isPending, refetch } = useQuery(secondFactorQuery())
  const [mode, setMode] = useState<Mode>('nothing')
  const [codes, setCodes] = useState<string[] | null>(null)
  const cancel = () => {
    setMode('nothing')
  }
  const finish = async () => {
    setMode('nothing')
    await queries.invalidateQueries({ queryKey })
  }
  const show = (next: string[]) => {
    setCodes(next)
    void finish()
  }
  if (codes !== null) {
    return (
      <RecoveryCodes
        codes={codes}
        onKept={() => {
          setCodes(null)
          onKept?.()
        }}
      />
    )
  }
  if (isPending) return <Loading />
  if (error !== null) return <Failure message={messageOf(error, t('account.unreachable'))} retry={() => void refetch()} />
  return (
    <>
      <ProofPrompt />
      {mode === 'nothing' && (
        <Text size="sm">
          {data.isOn ? t('account.twoStepOn', { count: data.recoveryCodesLeft }) : t('account.twoStepOff')}
          {data.isRequired && ` ${t('account.twoStepRequired')}`}
        </Text>
      )}
      {mode === 'setUp' && <SetUpTwoStep onDone={show} onCancel={cancel} />}
      {mode === 'turnOff' && <TurnOffTwoStep onDone={() => void finish()} onCancel={cancel} />}
      {mode === 'newCodes' && <RenewRecoveryCodes onDone={show} onCancel={cancel} />}
      {mode === 'nothing' && (
        <Group gap="sm">
          {!data.isOn && (
            <Button
              onClick={() => {
                setMode('setUp')
              }}
            >
              {t('account.turnOn')}
            </Button>
          )}
          {data.isOn && (
            <>
              <Button
                variant="default"
                onClick={() => {
                  setMode('newCodes')
                }}
              >
                {t('account.newCodes')}
              </Button>
              <Button
                variant="light"
                color="red"
                onClick={() => {
                  setMode('turnOff')
                }}
              >
                {t('account.turnOff')}
              </Button>
            </>
          )}
        </Group>
      )}
    </>
  )
}
