// Tests a user's own shell command: shown while it runs, in the conversation once.
// It is never inside a turn, and survives the end of the process.
// Over 250 lines: one user command, at each moment at which it may be sent.
import { Observable, concat, delay, map, merge, of, takeUntil, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { bashExecutionIn } from '../../../lib/streams/messages/bash-execution.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { emptySession, foldSession, transcript } from '../../../lib/streams/state/fold-session.ts'
import type { SessionState } from '../../../lib/streams/state/fold-session.ts'
import type { UserShell } from '../../../lib/streams/ports/user-shell.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { countedIds } from '../../../lib/testing/counted-ids.ts'
import { recoverLog } from '../../../lib/session/recovery/recover-log.ts'
import { replayLog } from '../../../lib/session/recovery/replay-log.ts'
import { faultyLog } from '../../support/faulty-log.ts'
import { logOf, recordingStore } from '../../support/cut-log.ts'
import { faultsOfRuns } from '../../support/log-laws.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { PlayedSession, SessionScene } from '../../support/virtual-session.ts'

/** Prints `a`, after `ms` milliseconds `b`, and ends; a signal ends it early. */
const shellOf =
  (ms: number): UserShell =>
  (_command, endWhen$) => {
    const end = { type: 'end', truncated: false } as const
    const usual$ = concat(
      of({ type: 'output', content: 'a', offset: 0 } as const),
      timer(ms).pipe(map(() => ({ type: 'output', content: 'b', offset: 1 }) as const)),
      of({ ...end, output: 'ab', exitCode: 0 }),
    )
    return merge(
      usual$.pipe(takeUntil(endWhen$)),
      endWhen$.pipe(
        delay(1),
        map(() => ({ ...end, output: 'a', exitCode: null })),
      ),
    ).pipe(untilEnd())
  }

function untilEnd() {
  return <Value extends { readonly type: string }>(source$: Observable<Value>): Observable<Value> =>
    new Observable((subscriber) =>
      source$.subscribe((value) => {
        subscriber.next(value)
        if (value.type === 'end') subscriber.complete()
      }),
    )
}

const bash = { type: 'user_bash', command: 'ls' } as const
const types = ({ events }: PlayedSession): string[] => events.map(({ type }) => type)
const ranIn = (state: SessionState) => transcript(state).flatMap((message) => bashExecutionIn(message) ?? [])

it('ends when its session is stopped, as a run does', () => {
  const scene = playSession({
    script: [],
    userShell: shellOf(1_000),
    at: { 5: ({ send }) => send(bash), 20: ({ session }) => session.stop('client_disconnected') },
  })
  expect(scene.events.find(({ type }) => type === 'job_end')).toMatchObject({ exitCode: null, durationMs: 16 })
})

describe('without a run', () => {
  const played = (more: Partial<SessionScene> = {}) =>
    playSession({ script: [], userShell: shellOf(10), at: { 5: ({ send }) => send(bash) }, ...more })

  it('responds with its job, emits its output, and is in the conversation when it has ended [EVENT-job]', () => {
    const scene = played()
    const [sent] = scene.sent
    const jobId = sent?.result && 'jobId' in sent.result ? sent.result.jobId : undefined
    expect(sent).toMatchObject({ answeredAt: 5, completed: true })
    expect(types(scene)).toEqual(['job_start', 'job_update', 'job_update', 'job_end', 'message_start', 'message_end'])
    expect(scene.events.slice(0, 3)).toMatchObject([
      { jobId, command: 'ls', by: 'client' },
      { jobId, content: 'a', offset: 0 },
      { jobId, content: 'b', offset: 1 },
    ])
    expect(scene.events[3]).toMatchObject({ type: 'job_end', jobId, exitCode: 0, durationMs: 10 })
    expect(scene.events[5]).toMatchObject({
      parentId: null,
      message: {
        role: 'bashExecution',
        jobId,
        command: 'ls',
        output: 'ab',
        exitCode: 0,
        cancelled: false,
        timestamp: 5,
      },
    })
    expect(scene.session.state$.value).toMatchObject({
      jobs: [],
      deferred: [],
      headEntryId: expect.any(String) as string,
    })
    expect(scene.session.state$.value.jobOutput.size).toBe(0)
  })

  it('is sent to the model with the next request [MESSAGE-custom]', () => {
    const { requests } = played({
      script: ['Hi'],
      at: { 5: ({ send }) => send(bash), 50: ({ send }) => send({ type: 'prompt', text: 'x' }) },
    })
    expect(requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'user'])
    expect(requests[0]?.messages[0]).toMatchObject({ content: expect.stringContaining('$ ls\nab') as string })
  })

  it('is not sent to the model if it is excluded [COMMAND-user_bash]', () => {
    const { requests, session } = played({
      script: ['Hi'],
      at: { 5: ({ send }) => send({ ...bash, exclude: true }), 50: ({ send }) => send({ type: 'prompt', text: 'x' }) },
    })
    expect(requests[0]?.messages).toHaveLength(1)
    expect(ranIn(session.state$.value)).toMatchObject([{ excludeFromContext: true }])
  })

  it('is ended by kill_job, and its message says so [COMMAND-user_bash]', () => {
    const scene = played({
      at: {
        5: ({ send }) => send(bash),
        8: ({ send, session }) => send({ type: 'kill_job', jobId: session.state$.value.jobs[0]?.jobId ?? '' }),
      },
    })
    expect(scene.sent[1]).toMatchObject({ result: { killed: true }, answeredAt: 9 })
    expect(ranIn(scene.session.state$.value)).toMatchObject([{ cancelled: true, output: 'a' }])
    expect(ranIn(scene.session.state$.value)[0]).not.toHaveProperty('exitCode')
  })

  it('cannot be killed after its end', () => {
    const { sent } = played({ at: { 5: ({ send }) => send({ type: 'kill_job', jobId: 'aaaaaaaa' }) } })
    expect(sent[0]).toMatchObject({ result: { killed: false }, completed: true })
  })

  it('runs once for an opId, also after the log is opened again', () => {
    const stored = faultyLog()
    const twice = {
      5: ({ send }: PlayedSession) => send(bash, { opId: 'o' }),
      30: ({ send }: PlayedSession) => send(bash, { opId: 'o' }),
    }
    const first = played({ log: stored, at: twice as never })
    expect(first.sent[0]?.result).toEqual(first.sent[1]?.result)
    expect(ranIn(first.session.state$.value)).toHaveLength(1)
    const again = played({
      log: { ...stored, log: stored.reopen() },
      at: {
        5: ({ send }) => send(bash, { opId: 'o' }),
        9: ({ send }) => send({ ...bash, command: 'pwd' }, { opId: 'o' }),
      },
    })
    expect(again.sent[0]?.result).toEqual(first.sent[0]?.result)
    expect(again.sent[1]?.failure).toMatchObject({ code: 'bad_request' })
    expect(again.events).toEqual([])
  })

  it('is refused without a shell, and if 16 run', () => {
    const none = playSession({ script: [], at: { 1: ({ send }) => send(bash) } })
    expect(none.sent[0]?.failure).toMatchObject({ code: 'bad_request' })
    const many = played({ at: { 1: ({ send }) => Array.from({ length: 17 }, () => send(bash)) } })
    expect(many.sent.filter(({ failure }) => failure !== undefined)).toMatchObject([
      { failure: { code: 'overloaded' } },
    ])
    expect(ranIn(many.session.state$.value)).toHaveLength(16)
  })

  it('ends, with its events, before the session is closed', () => {
    const scene = played({ at: { 5: ({ send }) => send(bash), 7: ({ session }) => session.close().subscribe() } })
    expect(types(scene).slice(-3)).toEqual(['job_end', 'message_start', 'message_end'])
    expect(scene.events.at(-1)).toMatchObject({ message: { cancelled: true } })
  })

  it('ends without running if its start cannot be written', () => {
    const stored = faultyLog()
    let runs = 0
    const scene = played({
      log: stored,
      userShell: (...options) => {
        runs += 1
        return shellOf(1)(...options)
      },
      at: {
        4: () => (stored.disk.full = true),
        5: ({ send }) => send(bash),
        6: () => (stored.disk.full = false),
        7: ({ send }) => send({ type: 'rename_session', title: 't' }),
      },
    })
    expect(scene.sent[0]?.failure).toMatchObject({ code: 'storage' })
    expect(runs).toBe(0)
    expect(types(scene).filter((type) => type.startsWith('job'))).toEqual(['job_start', 'job_end'])
    expect(ranIn(scene.session.state$.value)).toMatchObject([{ cancelled: true }])
  })
})

describe('during a run', () => {
  const runScene = (at: number, ms: number): SessionScene => ({
    script: [
      { toolCalls: [{ name: 'a' }, { name: 'a' }], delayMs: 5 },
      { text: 'done', delayMs: 5 },
    ],
    tools: [fakeTool('a', { text: 'x', delayMs: 5 } as never)],
    prompt: 'Go',
    userShell: shellOf(ms),
    at: { [at]: ({ send }) => send(bash) },
  })

  it('waits for the end of the turn: job_end has its message, and the next request contains it', () => {
    const scene = playSession(runScene(1, 2))
    const end = scene.events.find(({ type }) => type === 'job_end')
    expect(end).toMatchObject({ message: { role: 'bashExecution', output: 'ab' } })
    expect(scene.requests[1]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'toolResult',
      'toolResult',
      'user',
    ])
  })

  it('is appended after agent_settled if no turn follows', () => {
    const scene = playSession({
      script: [{ text: 'x', delayMs: 9 }],
      prompt: 'Hi',
      userShell: shellOf(1),
      at: { 3: ({ send }) => send(bash) },
    })
    expect(types(scene).slice(-3)).toEqual(['agent_settled', 'message_start', 'message_end'])
  })

  it('is never between a call and its result, at any time of the command, and never twice', () => {
    for (let at = 0; at <= 24; at += 1) {
      for (const ms of [1, 4, 9]) {
        const { session, events } = playSession(runScene(at, ms))
        const state = session.state$.value
        expect(ranIn(state), `at ${at}, ${ms} ms`).toHaveLength(1)
        const roles: readonly string[] = transcript(state).map(({ role }) => role)
        const others = roles.filter((role) => role !== 'bashExecution')
        expect(others).toEqual(['user', 'assistant', 'toolResult', 'toolResult', 'assistant'])
        expect(roles.join(' '), `at ${at}, ${ms} ms`).toMatch(/assistant toolResult toolResult/)
        expect(openAt(events)).toEqual([])
      }
    }
  })

  it('is in the conversation once after a kill at any line; an ended command has its output', () => {
    for (const [at, ms] of [
      [1, 2],
      [6, 9],
      [3, 30],
      [100, 5],
    ] as const) {
      const store = recordingStore()
      playSession({ ...runScene(at, ms), log: faultyLog(store) })
      const start = store.written.findIndex(({ body }) => body.includes('"job_start"'))
      for (let cut = start + 1; cut <= store.written.length; cut += 1) {
        const lines = store.written.slice(0, cut)
        const log = logOf(lines)
        recoverLog({ log, state: replayLog(log), ids: countedIds(), warnings: [] })
        const state = [...log.records()].reduce(foldSession, emptySession())
        const ran = ranIn(state)
        expect(ran, `cut at ${cut} of ${store.written.length}`).toHaveLength(1)
        const hadEnded = lines.some(({ body }) => body.includes('"job_end"'))
        expect(ran[0]?.output).toBe(hadEnded ? 'ab' : 'the process ended while this ran; it may have taken effect')
        expect(state).toMatchObject({ jobs: [], deferred: [] })
        expect(openAt([...log.records()].map(({ event }) => event))).toEqual([])
        expect(faultsOfRuns([...log.records()])).toEqual([])
        expect(
          [...state.entries.values()].every(({ parentId }) => parentId === null || state.entries.has(parentId)),
        ).toBe(true)
      }
    }
  })
})

/** Lists what began and did not end. */
function openAt(events: readonly AgentEvent[]): string[] {
  const open = new Set<string>()
  for (const event of events) {
    if (event.type === 'message_start') open.add(event.entryId)
    if (event.type === 'message_end') open.delete(event.entryId)
    if (event.type === 'job_start') open.add(event.jobId)
    if (event.type === 'job_end') open.delete(event.jobId)
  }
  return [...open]
}
