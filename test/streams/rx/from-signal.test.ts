// Tests the Observable of an abort signal.
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { fromSignal } from '../../../lib/streams/rx/from-signal.ts'

function collect(signal: AbortSignal | undefined) {
  const received: unknown[] = []
  const subscription = fromSignal(signal).subscribe({
    next: (reason) => received.push(reason),
    complete: () => received.push('complete'),
  })
  return { received, subscription }
}

describe('fromSignal', () => {
  it('emits the reason of an abort and completes', () => {
    const controller = new AbortController()
    const { received } = collect(controller.signal)
    expect(received).toEqual([])
    controller.abort('enough')
    expect(received).toEqual(['enough', 'complete'])
  })

  it('emits at once if the signal is already aborted', () => {
    expect(collect(AbortSignal.abort('before')).received).toEqual(['before', 'complete'])
  })

  it('never emits without a signal', () => {
    expect(collect(undefined).received).toEqual([])
  })

  it('listens only while it is subscribed', () => {
    const controller = new AbortController()
    const { received, subscription } = collect(controller.signal)
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1)
    subscription.unsubscribe()
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
    controller.abort()
    expect(received).toEqual([])
  })
})
