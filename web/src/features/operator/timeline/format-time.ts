// Moments of a history as its readers need them: to the second, and how far into it.

import { timeFormat } from '@/features/operator/time-zone'

const options = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
const second = timeFormat(options)
const millisecond = timeFormat({ ...options, fractionalSecondDigits: 3 })
const minute = timeFormat({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const day = timeFormat({ day: 'numeric', month: 'short', year: 'numeric' })

/** `14:09`; a text that is no time stays as it is. */
export function minuteText(time: string): string {
  const parsed = Date.parse(time)
  return Number.isNaN(parsed) ? time : minute(parsed)
}

/** `14:09:00`. */
export function secondText(t: number): string {
  return second(t)
}

/** `14:09:00.012`. */
export function millisecondText(t: number): string {
  return millisecond(t)
}

/** `21 Nov 2026`. */
export function dayText(t: number): string {
  return day(t)
}

/** The time since the begin of a history: `0:07`, `12:30`, `9:14:05`. */
export function sinceText(milliseconds: number): string {
  const whole = Math.max(0, Math.floor(milliseconds / 1000))
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return hours > 0 ? `${String(hours)}:${two(minutes)}:${two(seconds)}` : `${String(minutes)}:${two(seconds)}`
}
