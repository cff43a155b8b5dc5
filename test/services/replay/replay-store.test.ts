// Tests the store of a replay: it has the replayed session and those of the store behind it.
import { Subject } from 'rxjs'
import { expect, it } from 'vitest'
import { replayStore } from '../../../lib/services/replay/replay-store.ts'
import { memoryStore } from '../../../lib/store/sessions/memory-store.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { custom, sampleHeader } from '../../store/sessions/sample-records.ts'
import { fakeSession } from '../../support/fake-session.ts'

const readOnly = new Failure('read_only', 'a replay')

it('opens a replayed session for reading only, until it is over', () => {
  const store = replayStore(memoryStore())
  const over$ = new Subject<never>()
  const session = fakeSession({ id: 'cccccccccccc' })
  store.add({ session, notices: [], readOnly, over$ })
  session.record(custom(1))
  const { log } = store.open(session.id, { readOnly: true })
  expect(log).toMatchObject({ head: 1, header: session.header, readOnly })
  session.record({ type: 'agent_settled' })
  expect([...log.records()].map(({ seq }) => seq)).toEqual([1, 2])
  expect([...log.records(0, new Set(['custom']))]).toHaveLength(1)
  expect(() => log.append('')).toThrow(readOnly)
  expect(() => store.open(session.id)).toThrow(readOnly)
  over$.complete()
  expect(() => store.open(session.id, { readOnly: true })).toThrow(/no session/)
})

it('opens the sessions of its store, too', () => {
  const store = replayStore(memoryStore())
  const { header } = store.create(sampleHeader())
  expect(store.open(header.id).log.header).toEqual(header)
  expect(store.latest(header.cwd)).toBe(header.id)
})
