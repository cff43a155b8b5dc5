// Tests the store of a page: the contract of stores, lines that Node reads, and lines that are saved elsewhere.
import { describe, expect, it } from 'vitest'
import { parseHeader } from '../../../lib/store/lines/parse-header.ts'
import { parseLine } from '../../../lib/store/lines/parse-line.ts'
import { memoryStore as nodeStore } from '../../../lib/store/sessions/memory-store.ts'
import { memoryStore } from '../../../lib/streams/memory/page-memory-store.ts'
import { textIsSealed } from '../../../lib/streams/memory/seal-text.ts'
import { logContract } from '../../contract/log-contract.ts'
import { appendEvents, custom, nextBody, sampleHeader } from '../../store/sessions/sample-records.ts'

logContract('memoryStore of a page', () => {
  const store = memoryStore()
  return { store, again: () => store, dispose: () => undefined }
})

describe('memoryStore of a page', () => {
  it('writes and reads the lines of the store on Node', () => {
    const header = sampleHeader({ cwd: '/pâge', title: '“Title”' })
    const [own, node] = [memoryStore().create(header), nodeStore().create(header)]
    appendEvents(own, [custom(1), custom(2)])
    appendEvents(node, [custom(1), custom(2)])
    const linesOf = (log: typeof own) => [log.headerLine, ...Array.from(log.records(), ({ line = '' }) => line)]
    expect(linesOf(own)).toEqual(linesOf(node))
    expect(parseHeader(Buffer.from(own.headerLine)).ok).toBe(true)
    expect([...own.records()].map(({ line = '' }) => parseLine(Buffer.from(line)).ok)).toEqual([true, true])
    expect([
      ...memoryStore([linesOf(node)])
        .open(header.id)
        .log.records(),
    ]).toEqual([...node.records()])
  })

  it('compares working folders as texts', () => {
    const store = memoryStore()
    store.create(sampleHeader({ cwd: '/a', opId: 'op' }))
    expect([store.latest('/a'), store.latest('/a/')]).toEqual([sampleHeader().id, undefined])
    expect([store.madeBy?.('op', '/a')?.cwd, store.madeBy?.('op', '/b')]).toEqual(['/a', undefined])
  })

  it('calls onLine with each line, the header first, before it has the line', () => {
    const saved: unknown[] = []
    const heads: number[] = []
    const store = memoryStore([], {
      onLine: (line, seq, sessionId) => {
        saved.push([line, seq, sessionId])
        if (seq > 0) heads.push(log.head)
      },
    })
    const log = store.create(sampleHeader())
    appendEvents(log, [custom(1), custom(2)])
    const [first, second] = [...log.records()].map(({ line }) => line)
    const { id } = log.header
    expect(saved).toEqual([
      [log.headerLine, 0, id],
      [first, 1, id],
      [second, 2, id],
    ])
    expect(heads).toEqual([0, 1])
  })

  it('does not have a line that onLine cannot save', () => {
    let isFull = true
    const onLine = () => {
      if (isFull) throw new Error('quota exceeded')
    }
    const store = memoryStore([], { onLine })
    const refused = expect.objectContaining({
      code: 'storage',
      message: expect.stringContaining('quota') as string,
    }) as Error
    expect(() => store.create(sampleHeader())).toThrow(refused)
    isFull = false
    const log = store.create(sampleHeader())
    isFull = true
    expect(() => log.append(nextBody(log, custom(1)))).toThrow(refused)
    expect(log.head).toBe(0)
    isFull = false
    appendEvents(log, [custom(1)])
    expect(log.head).toBe(1)
  })

  it.each<[string, (line: string) => string]>([
    ['an empty text', () => ''],
    ['a seal alone', (line) => line.slice(-18)],
    ['a changed byte', (line) => line.replace('/tmp', '/tmq')],
    ['a changed checksum', (line) => line.slice(0, -3) + (line.at(-3) === '0' ? '1' : '0') + '"}'],
    ['a lone surrogate', (line) => line.replace('/tmp', '/\ud800')],
  ])('sees that %s is not sealed', (_, change) => {
    const { headerLine } = memoryStore().create(sampleHeader())
    expect(textIsSealed(headerLine)).toBe(true)
    expect(textIsSealed(change(headerLine))).toBe(false)
  })
})
