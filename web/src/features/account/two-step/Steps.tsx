import { Button, Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { Failure, Loading } from '@/ui/states'

import { NewCodes } from './NewCodes'
import { Proof } from './Proof'
import { RecoveryCodes } from './RecoveryCodes'
import { secondFactorQuery } from './second-factor'
import { SetUp } from './SetUp'
import { TurnOff } from './TurnOff'

type Doing = 'nothing' | 'setUp' | 'turnOff' | 'newCodes'

/** Two-step sign-in as it stands, and what can be done about it. */
export function Steps({ onKept }: { onKept?: () => void }) {
  const t = useTexts()
  const queries = useQueryClient()
  const { queryKey } = secondFactorQuery()
  const { data, error, isPending, refetch } = useQuery(secondFactorQuery())
  const [doing, setDoing] = useState<Doing>('nothing')
  const [codes, setCodes] = useState<string[] | null>(null)
  const leave = () => {
    setDoing('nothing')
  }
  const stop = async () => {
    setDoing('nothing')
    await queries.invalidateQueries({ queryKey })
  }
  const show = (next: string[]) => {
    setCodes(next)
    void stop()
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
      <Proof />
      {doing === 'nothing' && (
        <Text size="sm">
          {data.isOn ? t('account.twoStepOn', { count: data.recoveryCodesLeft }) : t('account.twoStepOff')}
          {data.isRequired && ` ${t('account.twoStepRequired')}`}
        </Text>
      )}
      {doing === 'setUp' && <SetUp onDone={show} onLeave={leave} />}
      {doing === 'turnOff' && <TurnOff onDone={() => void stop()} onLeave={leave} />}
      {doing === 'newCodes' && <NewCodes onDone={show} onLeave={leave} />}
      {doing === 'nothing' && (
        <Group gap="sm">
          {!data.isOn && (
            <Button
              onClick={() => {
                setDoing('setUp')
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
                  setDoing('newCodes')
                }}
              >
                {t('account.newCodes')}
              </Button>
              <Button
                variant="light"
                color="red"
                onClick={() => {
                  setDoing('turnOff')
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
