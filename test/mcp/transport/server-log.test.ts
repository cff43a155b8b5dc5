// Tests the log of a server: lines, bounds, hidden characters.
import { describe, expect, it } from 'vitest'
import { serverLog } from '../../../lib/mcp/transport/server-log.ts'

describe('serverLog', () => {
  it('joins pieces to lines and puts notes on lines of their own', () => {
    const log = serverLog()
    log.write('one\ntw')
    log.write('o')
    log.note('noted')
    log.write('three\n\n')
    expect(log.lines()).toEqual(['one', 'two', '[rxpi] noted', 'three'])
    expect(log.lastLine()).toBe('three')
  })

  it('has the last 64 KiB in whole lines', () => {
    const log = serverLog()
    for (let number = 0; number < 40_000; number += 1) log.write(`line ${number}\n`)
    const lines = log.lines()
    expect(lines.at(-1)).toBe('line 39999')
    expect(lines[0]).toMatch(/^line \d+$/)
    expect(lines.join('\n').length).toBeLessThanOrEqual(64 * 1024)
    expect(lines.length).toBeGreaterThan(5_000)
  })

  it('shows escape codes instead of sending them to a screen', () => {
    const log = serverLog()
    log.write('\u001b[2J\u202ehidden\n')
    expect(log.lines()).toEqual(['␛[2J<U+202E>hidden'])
  })

  it('names no note and no line without text as the last line', () => {
    const log = serverLog()
    log.write('Error: no key\n}\n\n')
    log.note('noted')
    expect(log.lastLine()).toBe('Error: no key')
  })
})
