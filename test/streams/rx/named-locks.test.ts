// Tests the named locks: exclusion, order, and what an unsubscribed request leaves.
import { Subscription } from 'rxjs'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Locks, ToolLocks } from '../../../lib/streams/ports/locks.ts'
import { namedLocks } from '../../../lib/streams/rx/named-locks.ts'
import { sampleSize } from '../../support/sample-size.ts'

let locks: Locks
let held: string[]
beforeEach(() => {
  locks = namedLocks()
  held = []
})

/** Requests names; the label is in `held` while they are held. */
function request(label: string, names: ToolLocks): Subscription {
  const subscription = new Subscription(() => (held = held.filter((each) => each !== label)))
  subscription.add(locks.hold(names).subscribe(() => held.push(label)))
  return subscription
}

describe('namedLocks', () => {
  it('serves a request that clashes with none synchronously, and holds until it is unsubscribed [TOOLS-edit-locks]', () => {
    const first = request('first', { write: ['a'] })
    request('other', { write: ['b'] })
    const second = request('second', { write: ['a'] })
    expect(held).toEqual(['first', 'other'])
    first.unsubscribe()
    expect(held).toEqual(['other', 'second'])
    second.unsubscribe()
    expect(held).toEqual(['other'])
  })

  it('lets readers share a name, and no reader pass a waiting writer', () => {
    const readers = [request('r1', { read: ['a'] }), request('r2', { read: ['a'] })]
    const writer = request('w', { write: ['a'] })
    request('r3', { read: ['a'] })
    expect(held).toEqual(['r1', 'r2'])
    readers[0]?.unsubscribe()
    expect(held).toEqual(['r2'])
    readers[1]?.unsubscribe()
    expect(held).toEqual(['w'])
    writer.unsubscribe()
    expect(held).toEqual(['r3'])
  })

  it('takes all names of a request at once, in the order of the requests [TOOLS-edit-locks]', () => {
    const a = request('a', { write: ['a'] })
    const both = request('both', { write: ['a', 'b'] })
    request('b', { write: ['b'] })
    expect(held).toEqual(['a']) // b waits behind both, which came first
    a.unsubscribe()
    expect(held).toEqual(['both'])
    both.unsubscribe()
    expect(held).toEqual(['b'])
  })

  it('forgets a request that is unsubscribed while it waits [TOOLS-edit-locks]', () => {
    const first = request('first', { write: ['a'] })
    const second = request('second', { write: ['a'] })
    request('third', { write: ['a'] })
    second.unsubscribe()
    first.unsubscribe()
    expect(held).toEqual(['third'])
  })

  it('serves a request that is made while another is served', () => {
    const holding = new Subscription()
    holding.add(
      locks.hold({ write: ['a'] }).subscribe(() => {
        request('second', { write: ['a'] })
        request('other', { write: ['b'] })
        held.push('first')
      }),
    )
    expect(held).toEqual(['first', 'other'])
    holding.unsubscribe()
    expect(held).toEqual(['first', 'other', 'second'])
  })

  it('serves thousands of requests of one name without a deep stack', () => {
    const requests = sampleSize(4_000, 10_000)
    let served = 0
    const first = request('first', { write: ['a'] })
    for (let index = 0; index < requests; index += 1) {
      const holding = new Subscription()
      holding.add(
        locks.hold({ write: ['a'] }).subscribe(() => {
          served += 1
          holding.unsubscribe()
        }),
      )
    }
    first.unsubscribe()
    expect(served).toBe(requests)
  })
})
