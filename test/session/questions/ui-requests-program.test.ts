// Tests questions that the program asks: inside and outside of a run.
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../../lib/streams/ports/ask.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { faultyLog } from '../../support/faulty-log.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { SessionControl } from '../../support/virtual-session.ts'
import { sure, prompted, there, respond } from './ui-requests-scene.ts'

describe('a question of the host', () => {
  it('can be asked outside of a run, under the source that the host names', () => {
    const answers: Answer[] = []
    const run = playSession({
      script: [],
      at: {
        0: there,
        5: ({ session }) => session.ask({ ...sure, source: 'mine' }).subscribe((answer) => answers.push(answer)),
        10: (control) => respond(control, true),
      },
    })
    expect(run.events[0]).toMatchObject({ type: 'ui_request', source: 'mine' })
    expect(answers).toEqual([{ outcome: true, by: 'client' }])
  })

  it('is resolved with its default when the active run is stopped', () => {
    const answers: Answer[] = []
    const run = playSession({
      script: [{ text: 'long', delayMs: 1_000 }],
      at: {
        0: there,
        ...prompted,
        20: ({ session }) => session.ask({ ...sure, default: true }).subscribe((answer) => answers.push(answer)),
        30: ({ send }) => send({ type: 'abort' }),
      },
    })
    expect(answers).toEqual([{ outcome: true, by: 'default' }])
    expect(run.records.find(({ event }) => event.type === 'ui_resolved')?.at).toBe(30)
  })

  it('is resolved when its subscriber leaves, and when the session is closed', () => {
    const run = playSession({
      script: [],
      at: {
        0: there,
        5: ({ session }) => session.ask(sure).subscribe().unsubscribe(),
        10: ({ session }) => session.ask(sure).subscribe(),
        20: ({ session }) => session.close().subscribe(),
      },
    })
    expect(run.records.map(({ at, event }) => [at, event.type])).toEqual([
      [5, 'ui_request'],
      [5, 'ui_resolved'],
      [10, 'ui_request'],
      [20, 'ui_resolved'],
    ])
  })

  it('gets its default if it, or its answer, cannot be written; the answer does not count', () => {
    const answers: [at: number, answer: Answer][] = []
    const ask = ({ session, now }: SessionControl) =>
      session.ask({ ...sure, default: false }).subscribe((answer) => answers.push([now(), answer]))
    const run = playSession({
      script: [],
      at: {
        0: there,
        5: ask,
        10: (control) => {
          control.disk.full = true
          respond(control, true)
        },
        20: ask,
        30: ({ disk, send }) => {
          disk.full = false
          send({ type: 'rename_session', title: 'there is space' })
        },
      },
    })
    expect(run.sent[0]?.failure).toMatchObject({ code: 'storage' })
    expect(answers).toEqual([
      [10, { outcome: false, by: 'default' }],
      [20, { outcome: false, by: 'default' }],
    ])
    expect(run.session.state$.value.requests).toEqual([])
  })

  it('is refused if the session was closed, or its log is read-only', () => {
    const failures: unknown[] = []
    const ask = ({ session }: SessionControl) => {
      session.ask(sure).subscribe({ error: (failure: unknown) => failures.push(failure) })
    }
    playSession({ script: [], at: { 0: there, 5: ({ session }) => session.close().subscribe(), 10: ask } })
    const stored = faultyLog()
    const readOnly = new Failure('read_only', 'damaged')
    const log = Object.create(stored.log, { readOnly: { value: readOnly } }) as typeof stored.log
    playSession({ script: [], log: { ...stored, log }, at: { 0: there, 10: ask } })
    expect(failures).toMatchObject([{ code: 'unknown_session' }, { code: 'read_only' }])
  })

  it('is refused if 1,000 are open', () => {
    const failures: unknown[] = []
    const run = playSession({
      script: [],
      at: {
        0: there,
        5: ({ session }) => {
          for (let index = 0; index <= 1_000; index++)
            session.ask(sure).subscribe({ error: (failure: unknown) => failures.push(failure) })
        },
      },
    })
    expect(failures).toMatchObject([{ code: 'overloaded' }])
    expect(run.session.state$.value.requests).toHaveLength(1_000)
  })
})
