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

describe('memoryStore with saved sessions', () => {
  const log = memoryStore().create(sampleHeader())
  appendEvents(log, [custom(1), custom(2)])
  const [first = '', second = ''] = [...log.records()].map(({ line }) => line ?? '')

  it('opens them, and goes on', () => {
    const { log: opened } = memoryStore([[log.headerLine, first, second]]).open(log.header.id)
    expect([opened.headerLine, [...opened.records()].map(({ line }) => line)]).toEqual([
      log.headerLine,
      [first, second],
    ])
    appendEvents(opened, [custom(3)])
    expect(opened.head).toBe(3)
  })

  it.each<[string, readonly string[], string]>([
    ['no line', [], 'Line 1'],
    ['a header that is none', ['{}'], 'Line 1'],
    ['a header of another version', [log.headerLine.replace('"v":1', '"v":9')], 'version 9'],
    ['a damaged line', [log.headerLine, first.replace('seq', 'seQ')], 'Line 2'],
    ['a missing line', [log.headerLine, second], 'Line 2'],
    ['a repeated line', [log.headerLine, first, first], 'Line 3'],
  ])('refuses %s', (_, lines, message) => {
    const refused = { code: 'read_only', message: expect.stringContaining(message) as string }
    expect(() => memoryStore([lines])).toThrow(expect.objectContaining(refused))
  })
})
