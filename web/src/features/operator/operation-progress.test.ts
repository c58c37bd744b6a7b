import { describe, expect, it } from 'vitest'

import type { ReplayView } from '@/api/generated/types.gen'

import { isReplay, isUnderWay, readReport, readSpec, shares } from './operation-progress'

function operation(over: Partial<ReplayView> = {}): ReplayView {
  return {
    replayId: 'r1',
    verb: 'replay',
    target: 'delivery_ORDERS',
    stream: 'ORDERS',
    reason: 'a lost day',
    actor: 'u1',
    spec: {},
    state: 'running',
    total: 200,
    published: 0,
    handled: 0,
    skipped: 0,
    failed: 0,
    rate: 0,
    report: null,
    startedAt: '2026-11-21T10:00:00Z',
    updatedAt: '2026-11-21T10:00:00Z',
    ...over,
  }
}

describe('how far something is', () => {
  it.each<[Partial<ReplayView>, number[]]>([
    [{ handled: 50, skipped: 100, failed: 10 }, [25, 50, 5]],
    [{ total: 0, state: 'done' }, [100, 0, 0]],
    [{ total: 0 }, [0, 0, 0]],
    [{ total: 10, handled: 20 }, [100, 0, 0]],
  ])('%o', (over, expected) => {
    expect(shares(operation(over))).toEqual(expected)
  })
})

it('distinguishes replays from other actions, and running ones from ended ones', () => {
  expect(['replay', 'live', 'rebuild', 'republish'].map((verb) => isReplay(operation({ verb })))).toEqual([true, true, false, false])
  expect(['running', 'paused', 'done', 'failed'].map((state) => isUnderWay(operation({ state })))).toEqual([true, true, false, false])
})

it('reads what came out', () => {
  const tables = [{ table: 'orders', equal: false, servingRows: 3, rebuiltRows: 2, servingHash: 'a', rebuiltHash: 'b' }]
  expect(readReport(operation({ report: { equal: false, tables, failures: ['7: no'], servingWasBehindBy: 0 } }))).toEqual({
    equal: false,
    tables,
    failures: ['7: no'],
    republished: [],
  })
  expect(readReport(operation({ report: { tables: 'rubbish' } }))).toEqual({ tables: [], failures: [], republished: [] })
  expect(readReport(operation())).toEqual({ tables: [], failures: [], republished: [] })
})

it('reads what was asked for, of replays to consumers and to browsers', () => {
  expect(readSpec(operation({ spec: { selection: { from: 1, to: 9 }, rate: null } }))).toEqual({ selection: { from: 1, to: 9 }, rate: null })
  expect(readSpec(operation({ spec: { from: 2, to: 8, filter: null, speed: 4 } }))).toMatchObject({ selection: { from: 2, to: 8 }, speed: 4 })
})
