// Tests `serialiseReads`: one read at a time, and none while more than 1 MiB is unsent.
import { NEVER, Subject, defer, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { serialiseReads } from '../../../lib/server/connection/serialise-reads.ts'
import type { CommandType } from '../../../lib/streams/commands/command.ts'

const mebibyte = 1_048_576

function client() {
  const state = { unsent: 0 }
  const drained$ = new Subject<void>()
  const { bound } = serialiseReads({ unsent: () => state.unsent, drained$ })
  const begun: number[] = []
  const ends: Subject<never>[] = []
  const ask = (number: number, type: CommandType = 'get_entries') =>
    bound(
      type,
      defer(() => {
        begun.push(number)
        const end$ = new Subject<never>()
        ends.push(end$)
        return end$
      }),
    ).subscribe()
  return {
    state,
    begun,
    bound,
    ask,
    end: async (index: number) => {
      ends[index]?.complete()
      await Promise.resolve()
    },
    drain: () => {
      state.unsent = 0
      drained$.next()
    },
    drained$,
  }
}

describe('serialiseReads', () => {
  it('begins one read at a time, in the order of the requests', async () => {
    const { ask, begun, end } = client()
    for (const number of [1, 2, 3]) ask(number)
    expect(begun).toEqual([1])
    await end(0)
    expect(begun).toEqual([1, 2])
    await end(1)
    expect(begun).toEqual([1, 2, 3])
  })

  it('begins no read while more than 1 MiB is unsent', async () => {
    const { ask, begun, end, state, drain, drained$ } = client()
    ask(1)
    ask(2)
    ask(3)
    state.unsent = mebibyte + 1
    await end(0)
    expect(begun).toEqual([1])
    ask(4)
    expect(drained$.observed).toBe(true)
    drain()
    expect(begun).toEqual([1, 2])
    expect(drained$.observed).toBe(false)
  })

  it('begins a read with 1 MiB unsent', () => {
    const { ask, begun, state } = client()
    state.unsent = mebibyte
    ask(1)
    expect(begun).toEqual([1])
  })

  it('runs every other command at once', () => {
    const { ask, begun, state } = client()
    ask(1)
    state.unsent = 10 * mebibyte
    ask(2)
    ask(3, 'ping')
    ask(4, 'abort')
    expect(begun).toEqual([1, 3, 4])
  })

  it('drops a read that was unsubscribed while it waited, and begins the next when the running one is unsubscribed', async () => {
    const { ask, begun } = client()
    const first = ask(1)
    const second = ask(2)
    ask(3)
    second.unsubscribe()
    first.unsubscribe()
    await Promise.resolve()
    expect(begun).toEqual([1, 3])
  })

  it('begins no read when all are unsubscribed together', async () => {
    const { ask, begun } = client()
    const all = [ask(1), ask(2), ask(3)]
    for (const one of all) one.unsubscribe()
    await Promise.resolve()
    expect(begun).toEqual([1])
  })

  it('goes on after reads that fail and reads that end synchronously, 10,000 in a row', async () => {
    const { bound } = client()
    const never = bound('get_tree', NEVER).subscribe()
    const ended: number[] = []
    const failed = bound(
      'get_tree',
      defer(() => {
        throw new Error('unreadable')
      }),
    ).subscribe({ error: () => ended.push(-1) })
    for (let number = 0; number < 10_000; number += 1) {
      bound('get_tree', of(number)).subscribe((value) => ended.push(value))
    }
    expect(ended).toEqual([])
    never.unsubscribe()
    await Promise.resolve()
    expect(failed.closed).toBe(true)
    expect(ended).toHaveLength(10_001)
    expect(ended.slice(0, 4)).toEqual([-1, 0, 1, 2])
  })
})
