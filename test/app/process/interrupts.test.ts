// Tests the handling of SIGINT, SIGTERM and SIGHUP.
import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { signalsOf } from '../../../app/process/run-cli.ts'

class Exited extends Error {}

function fakeProcess(): EventEmitter & { exit(code: number): never; codes: number[] } {
  const codes: number[] = []
  return Object.assign(new EventEmitter(), {
    codes,
    exit: (code: number): never => {
      codes.push(code)
      throw new Exited()
    },
  })
}

describe('signalsOf', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('emits the first %s and ends the process at the second', (signal, code) => {
    const source = fakeProcess()
    const notices: string[] = []
    signalsOf(source).subscribe((each) => notices.push(each))
    source.emit('SIGINT', 'SIGINT')
    expect(source.codes).toEqual([])
    expect(() => source.emit(signal, signal)).toThrow(Exited)
    expect([notices, source.codes]).toEqual([['SIGINT'], [code]])
  })

  it('removes its listeners from the process on unsubscribe', () => {
    const source = fakeProcess()
    const subscription = signalsOf(source).subscribe()
    expect(source.listenerCount('SIGINT')).toBe(1)
    subscription.unsubscribe()
    expect(source.eventNames()).toEqual([])
  })
})
