// Figures and moments as operators read them: the console speaks English alone.

import { timeFormat } from './time-zone'

const whole = new Intl.NumberFormat('en-LK')
const oneDecimal = new Intl.NumberFormat('en-LK', { maximumFractionDigits: 1 })
const moment = timeFormat({
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
})

const DURATIONS: [size: number, unit: string][] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
  [0.001, 'millisecond'],
]
const SIZES: [size: number, unit: string][] = [
  [1e9, 'gigabyte'],
  [1e6, 'megabyte'],
  [1e3, 'kilobyte'],
]

/** `12,345`. */
export function countText(count: number): string {
  return whole.format(count)
}

/** `0.4`, `1,204`. */
export function rateText(perSecond: number): string {
  return perSecond < 10 ? oneDecimal.format(perSecond) : whole.format(Math.round(perSecond))
}

/** `0.4%`, `71%`. */
export function percentText(percent: number): string {
  return `${rateText(percent)}%`
}

/** `850ms`, `12s`, `3m`, `2h`, `5d`. */
export function durationText(seconds: number): string {
  return inUnits(seconds, DURATIONS, 'narrow', seconds >= 1 ? 0 : 1)
}

/** `102.9 kB`. */
export function bytesText(bytes: number): string {
  return bytes < 1e3 ? `${whole.format(bytes)} B` : inUnits(bytes, SIZES, 'short', 1)
}

function inUnits(value: number, units: [number, string][], unitDisplay: 'narrow' | 'short', digits: number): string {
  const smallest = value === 0 && unitDisplay === 'narrow' ? 'second' : undefined
  const [size, unit] = units.find(([size]) => value >= size) ?? units.at(-1) ?? [1, 'second']
  return new Intl.NumberFormat('en-LK', {
    style: 'unit',
    unit: smallest ?? unit,
    unitDisplay,
    maximumFractionDigits: digits,
  }).format(value / size)
}

/** The number of seconds since a moment. */
export function secondsSince(time: string, now: number): number {
  return Math.max(0, (now - Date.parse(time)) / 1000)
}

/** `21 Nov, 23:20:27.660`; a text that is no time stays as it is. */
export function momentText(time: string): string {
  const parsed = Date.parse(time)
  return Number.isNaN(parsed) ? time : moment(parsed)
}

/** The end of an id, which differs in ids of the same moment. */
export function shortId(id: string): string {
  return id.length > 13 ? `…${id.slice(-8)}` : id
}
