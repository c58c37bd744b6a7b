import { describe, expect, it } from 'vitest'

import { csvOf } from './csv'

describe('a table as CSV', () => {
  it('quotes what RFC 4180 wants quoted, and ends lines as it says', async () => {
    const text = await csvOf(['Name', 'Comment'], [['Amal', 'a "good", hot\ndish'], [null, undefined]])
    expect(text).toBe('Name,Comment\r\nAmal,"a ""good"", hot\ndish"\r\n,')
  })

  it.each(['=1+1', '+94771234567', '-2+3', '@SUM(A1)', '\t=1', '=1\n+1'])('lets no spreadsheet run %s', async (cell) => {
    expect(await csvOf(['A'], [[cell]])).toContain(`'${cell}`)
  })

  it('leaves numbers as they are', async () => {
    expect(await csvOf(['A', 'B'], [[-5.5, true]])).toBe('A,B\r\n-5.5,true')
  })
})
