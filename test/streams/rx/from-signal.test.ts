// Tests the Observable of an abort signal.
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { fromSignal } from '../../../lib/streams/rx/from-signal.ts'

function collected(signal: AbortSignal | undefined) {
  const seen: unknown[] = []
  const subscription = fromSignal(signal).subscribe({
    next: (reason) => seen.push(reason),
    complete: () => seen.push('complete'),
  })
  return { seen, subscription }
}

describe('fromSignal', () => {
  it('emits the reason of an abort and completes', () => {
    const controller = new AbortController()
    const { seen } = collected(controller.signal)
    expect(seen).toEqual([])
    controller.abort('enough')
    expect(seen).toEqual(['enough', 'complete'])
  })

  it('emits at once if the signal is already aborted', () => {
    expect(collected(AbortSignal.abort('before')).seen).toEqual(['before', 'complete'])
  })

  it('never emits without a signal', () => {
    expect(collected(undefined).seen).toEqual([])
  })

  it('listens only while it is subscribed', () => {
    const controller = new AbortController()
    const { seen, subscription } = collected(controller.signal)
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1)
    subscription.unsubscribe()
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
    controller.abort()
    expect(seen).toEqual([])
  })
})
