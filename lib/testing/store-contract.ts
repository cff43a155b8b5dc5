// Checks that a store of sessions keeps the contract of the port, in cases for any test runner.
import assert from 'node:assert/strict'
import { crc32 } from 'node:zlib'
import { lastValueFrom, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import type { NewHeader, SessionLog, SessionStore } from '../streams/ports/session-log.ts'
import { Failure } from '../streams/values/failure.ts'
import type { FailureCode } from '../streams/values/failure.ts'

/** A store for one case, empty at first. */
export interface StoreForTest {
  readonly store: SessionStore
  /** A store over the same sessions, as another process makes it. Default: the same store. */
  again?(): SessionStore
  /** Called after the case. */
  dispose?(): void
}

/** One case: give it to a test runner as `test(name, run)`. */
export interface ContractCase {
  readonly name: string
  /** Rejects with an AssertionError if the store does not keep the contract. */
  run(): Promise<void>
}

interface Scene {
  readonly store: SessionStore
  create(fields?: Partial<NewHeader>): SessionLog
  /** Closes the log, and opens it by `again`. */
  reopen(log: SessionLog): Promise<SessionLog>
}

/**
 * The cases that every `SessionStore` passes: numbering, checksums, reading while writing, checkpoints, reopening,
 * refusals. `makeStore` is called for each case.
 *
 * `for (const { name, run } of storeContract(() => myStore())) test(name, run)`
 */
export function storeContract(makeStore: () => SessionStore | StoreForTest): readonly ContractCase[] {
  return Object.entries(cases).map(([name, check]) => ({
    name,
    run: async () => {
      const made = makeStore()
      const { store, again, dispose } = 'store' in made ? made : { store: made }
      const opened: SessionLog[] = []
      const keep = (log: SessionLog): SessionLog => {
        opened.push(log)
        return log
      }
      try {
        await check({
          store,
          create: (fields) => keep(store.create({ id: 'abcdefghijkl', createdAt: 5, cwd: '/tmp', ...fields })),
          reopen: async (log) => {
            await finish(log.close())
            return keep((again?.() ?? store).open(log.header.id).log)
          },
        })
      } finally {
        for (const log of opened) await finish(log.close())
        dispose?.()
      }
    },
  }))
}

const cases: Readonly<Record<string, (scene: Scene) => void | Promise<void>>> = {
  'begins a log with a header line and no record': ({ create }) => {
    const log = create({ title: 'first', opId: 'op' })
    assert.deepEqual(JSON.parse(log.headerLine), { ...log.header })
    const { type, v, id, createdAt, cwd, title, opId } = log.header
    assert.deepEqual(
      [type, v, id, createdAt, cwd, title, opId],
      ['session', 1, 'abcdefghijkl', 5, '/tmp', 'first', 'op'],
    )
    assertSealed(log.headerLine)
    assert.deepEqual([log.head, texts(log)], [0, []])
  },
  'returns the line of an append with its checksum, and counts it': ({ create }) => {
    const log = create()
    for (const text of ['one', 'ö\u2028"\\']) {
      const body = bodyOf(log.head + 1, text)
      const line = log.append(body)
      assert.ok(line.startsWith(`${body},"crc":"`))
      assertSealed(line)
    }
    assert.equal(log.head, 2)
    assert.deepEqual(texts(log), ['one', 'ö\u2028"\\'])
  },
  'refuses a number that does not come next, and stays as it is': ({ create }) => {
    const log = create()
    for (const seq of [0, 2]) assertFails('internal', () => log.append(bodyOf(seq, 'x')))
    assert.deepEqual([log.head, texts(log)], [0, []])
    add(log, 'one')
    assert.deepEqual(texts(log), ['one'])
  },
  'reads the records after a number, each with its number and line': ({ create }) => {
    const log = create()
    const lines = add(log, 'a', 'b', 'c')
    for (let after = 0; after <= 3; after += 1) {
      const records = [...log.records(after)].map(({ seq, line }) => [seq, line])
      assert.deepEqual(
        records,
        lines.slice(after).map((line, index) => [after + index + 1, line]),
      )
    }
  },
  'reads what is appended while it is read': ({ create }) => {
    const log = create()
    add(log, 'a', 'b')
    const seqs: unknown[] = []
    for (const { seq } of log.records()) {
      seqs.push(seq)
      if (log.head < 4) add(log, 'more')
    }
    assert.deepEqual(seqs, [1, 2, 3, 4])
  },
  'keeps an event of an unknown type': ({ create }) => {
    const log = create()
    log.append('{"seq":1,"at":1,"event":{"type":"from_the_future","x":[1]}')
    assert.deepEqual(
      [...log.records()].map(({ event }) => event),
      [{ type: 'from_the_future', x: [1] }],
    )
  },
  'reads no checkpoint as a record': ({ create }) => {
    const log = create()
    log.append(messageBody(log.head + 1, 'message_start'))
    log.checkpoint(checkpointOf('Hel'))
    add(log, 'next')
    assert.deepEqual(
      [...log.records()].map(({ seq, event }) => `${seq} ${event.type}`),
      ['1 message_start', '2 custom'],
    )
  },
  'returns the checkpoints of an unfinished message when it is opened again': async ({ create, reopen }) => {
    const log = create()
    log.append(messageBody(1, 'message_start'))
    log.checkpoint(checkpointOf('Hello'))
    const again = await reopen(log)
    assert.deepEqual(checkpointTexts(again), ['Hello'])
    again.append(messageBody(2, 'message_end'))
    assert.deepEqual(checkpointTexts(await reopen(again)), [])
  },
  'opens a session again as it was, and goes on': async ({ create, reopen }) => {
    const log = create()
    const lines = add(log, 'a', 'b')
    const again = await reopen(log)
    assert.deepEqual([again.headerLine, again.head], [log.headerLine, 2])
    assert.deepEqual(
      [...again.records()].map(({ line }) => line),
      lines,
    )
    add(again, 'c')
    assert.deepEqual(texts(await reopen(again)), ['a', 'b', 'c'])
  },
  'opens a session for reading only': async ({ create, store }) => {
    const log = create()
    add(log, 'a')
    await finish(log.close())
    const { log: reader } = store.open(log.header.id, { readOnly: true })
    assert.equal(reader.readOnly?.code, 'read_only')
    assertFails('read_only', () => reader.append(bodyOf(2, 'b')))
    assert.deepEqual(texts(reader), ['a'])
    await finish(reader.close())
  },
  'completes durable when it is written': async ({ create }) => {
    const log = create()
    add(log, 'a')
    log.sync()
    assert.equal((await finish(log.durable())).length, 1)
  },
  'writes nothing to a closed log': async ({ create, reopen }) => {
    const log = create()
    add(log, 'a')
    await finish(log.close())
    assertFails('storage', () => log.append(bodyOf(2, 'b')))
    assert.deepEqual(texts(await reopen(log)), ['a'])
  },
  'finds no session with an unknown id': ({ store }) => {
    for (const id of ['bbbbbbbbbbbb', '', '../abcdefghijkl']) assertFails('unknown_session', () => store.open(id))
  },
  'creates no session with fields that are not valid': ({ create }) => {
    for (const fields of [{ id: 'short' }, { createdAt: -1 }, { cwd: '' }])
      assertFails('bad_request', () => create(fields))
  },
  'creates no second session with an id': async ({ create }) => {
    const log = create()
    await finish(log.close())
    assertFails('storage', () => create())
  },
  'names the session of a folder that was written to last': ({ create, store }) => {
    assert.equal(store.latest('/tmp'), undefined)
    create({ id: 'aaaaaaaaaaaa' })
    create({ id: 'bbbbbbbbbbbb', createdAt: 6 })
    create({ id: 'cccccccccccc', cwd: '/usr' })
    assert.deepEqual(
      [store.latest('/tmp'), store.latest('/usr'), store.latest('/nowhere')],
      ['bbbbbbbbbbbb', 'cccccccccccc', undefined],
    )
  },
}

function bodyOf(seq: number, text: string): string {
  return `{"seq":${seq},"at":${seq},"event":${JSON.stringify({ type: 'custom', customType: 'test', data: text })}`
}

const message = { role: 'user', content: 'Hello', timestamp: 1 }
const entry = '"entryId":"abcdefgh","parentId":null'

function messageBody(seq: number, type: 'message_start' | 'message_end'): string {
  const content = type === 'message_start' ? [] : message.content
  return `{"seq":${seq},"at":1,"event":{"type":"${type}",${entry},"message":${JSON.stringify({ ...message, content })}}`
}

function checkpointOf(text: string): string {
  const delta = { type: 'text_delta', contentIndex: 0, text, offset: 0 }
  return `{"at":1,"event":{"type":"message_update","entryId":"abcdefgh","delta":${JSON.stringify(delta)}}`
}

function add(log: SessionLog, ...added: readonly string[]): string[] {
  return added.map((text) => log.append(bodyOf(log.head + 1, text)))
}

function texts(log: SessionLog): unknown[] {
  return [...log.records()].map(({ event }) => ('data' in event ? event.data : event.type))
}

function checkpointTexts(log: SessionLog): unknown[] {
  return [...log.checkpoints()].map(({ event }) =>
    event.type === 'message_update' && 'text' in event.delta ? event.delta.text : event.type,
  )
}

/** The checksum of a line is the last field, over the bytes before it. */
function assertSealed(line: string): void {
  const [, body = '', checksum] = /^(.*),"crc":"([0-9a-f]{8})"\}$/s.exec(line) ?? []
  assert.equal(checksum, crc32(body).toString(16).padStart(8, '0'))
}

function assertFails(code: FailureCode, act: () => unknown): void {
  assert.throws(act, (thrown) => thrown instanceof Failure && thrown.code === code)
}

function finish<Value>(source$: Observable<Value>): Promise<Value[]> {
  return lastValueFrom(source$.pipe(toArray()), { defaultValue: [] })
}
