// Tests the store of sessions in memory.
import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../../lib/store/sessions/memory-store.ts'
import { logContract } from '../../contract/log-contract.ts'
import { appendEvents, custom, nextBody, sampleHeader } from './sample-records.ts'

logContract('memoryStore', () => {
  const store = memoryStore()
  return { store, again: () => store, dispose: () => undefined }
})

describe('memoryStore', () => {
  it('is durable at once', () => {
    const log = memoryStore().create(sampleHeader())
    appendEvents(log, [custom(1)])
    const emitted: string[] = []
    log.durable().subscribe({ next: () => emitted.push('next'), complete: () => emitted.push('complete') })
    expect(emitted).toEqual(['next', 'complete'])
  })

  it('returns the last written session as the latest', () => {
    const store = memoryStore()
    const first = store.create(sampleHeader({ id: 'aaaaaaaaaaaa' }))
    store.create(sampleHeader({ id: 'bbbbbbbbbbbb' }))
    first.append(nextBody(first, custom(1)))
    expect(store.latest('/tmp')).toBe('aaaaaaaaaaaa')
  })
})
