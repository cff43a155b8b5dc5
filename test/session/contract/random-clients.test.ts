// Tests random commands of clients whose inputs, summaries, restores, jobs and questions take time, and a crash among them.
// Over 250 lines: the scene, its commands and the laws that they may not break belong together.
import { isDeepStrictEqual } from 'node:util'
import { delay, map, merge, of, take, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { modelMessage } from '../../../lib/operators/run/conversation.ts'
import type { ScriptedReply } from '../../../lib/providers/offline/scripted.ts'
import type { SessionOptions } from '../../../lib/session/contract/session-parts.ts'
import type { SessionCommand } from '../../../lib/session/contract/session.ts'
import { replayLog } from '../../../lib/session/recovery/replay-log.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import type { SessionRecord } from '../../../lib/streams/log/log-line.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import type { AnyTool } from '../../../lib/streams/ports/tool.ts'
import type { UserShell } from '../../../lib/streams/ports/user-shell.ts'
import { contextMessages } from '../../../lib/streams/state/context-messages.ts'
import type { SessionState } from '../../../lib/streams/state/fold-session.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { randomIds } from '../../../lib/streams/values/identifiers.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { logOf, recordingStore } from '../../support/cut-log.ts'
import type { WrittenLine } from '../../support/cut-log.ts'
import { faultyLog } from '../../support/faulty-log.ts'
import { faultsOfJobs, faultsOfRuns } from '../../support/log-laws.ts'
import { pickOf, randomOf } from '../../support/random-of.ts'
import type { Random } from '../../support/random-of.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { slowParts } from '../../support/slow-parts.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { PlayedSession, Sent, SessionControl } from '../../support/virtual-session.ts'

type MakeCommand = (state: SessionState, random: Random, text: string) => SessionCommand

const entryIds = ({ entries, summaries }: SessionState): string[] => [...entries.keys(), ...summaries.keys()]
const anyEntry: (state: SessionState, random: Random) => string = (state, random) =>
  entryIds(state).length === 0 ? 'zzzzzzzz' : pickOf(random, entryIds(state))

/** An input with a slash takes time to expand. */
const commands: readonly MakeCommand[] = [
  (_, __, text) => ({ type: 'prompt', text }),
  (_, __, text) => ({ type: 'prompt', text: `/late ${text}` }),
  (_, __, text) => ({ type: 'prompt', text: `/late ${text}`, whileRunning: 'steer' }),
  (_, __, text) => ({ type: 'prompt', text, whileRunning: 'follow_up' }),
  (_, __, text) => ({ type: 'steer', text }),
  (_, __, text) => ({ type: 'follow_up', text: `/late ${text}` }),
  () => ({ type: 'abort' }),
  () => ({ type: 'abort' }),
  () => ({ type: 'continue' }),
  () => ({ type: 'compact' }),
  () => ({ type: 'compact', focus: 'tests' }),
  () => ({ type: 'undo' }),
  () => ({ type: 'undo', dryRun: true }),
  () => ({ type: 'user_bash', command: 'ls' }),
  () => ({ type: 'user_bash', command: 'ls', exclude: true }),
  ({ jobs }) => ({ type: 'kill_job', jobId: jobs.at(-1)?.jobId ?? 'zzzzzzzz' }),
  ({ requests }, random) => ({
    type: 'ui_response',
    requestId: requests[0]?.requestId ?? 'z'.repeat(26),
    outcome: random() < 0.5,
  }),
  (state, random) => ({ type: 'branch_session', entryId: random() < 0.2 ? null : anyEntry(state, random) }),
  (state, random) => ({ type: 'branch_session', entryId: anyEntry(state, random), summarise: true }),
  (state, random) => ({ type: 'context_edit', entryId: anyEntry(state, random), text: 'edited' }),
  (state, random) => ({ type: 'context_pin', entryId: anyEntry(state, random), pinned: random() < 0.7 }),
  (state, random) => ({ type: 'set_label', entryId: anyEntry(state, random), label: pickOf(random, ['', 'here']) }),
  () => ({ type: 'clear_queue' }),
  () => ({ type: 'set_thinking_level', thinkingLevel: 'low' }),
  (_, __, text) => ({ type: 'rename_session', title: text }),
]

/** Refusals that are no faults, beside `busy`: there is nothing to undo, the request is answered … */
const refusals: Partial<Record<SessionCommand['type'], readonly string[]>> = {
  prompt: ['cancelled'],
  continue: ['bad_request', 'cancelled'],
  compact: ['bad_request', 'cancelled'],
  undo: ['bad_request'],
  ui_response: ['bad_request'],
  branch_session: ['bad_request'],
  context_edit: ['bad_request'],
  context_pin: ['bad_request'],
  set_label: ['bad_request'],
}

/** A command that takes its time, unless it is ended. */
const shellOf =
  (random: Random): UserShell =>
  (_command, endWhen$) => {
    const end = { type: 'end', output: 'listed', truncated: false } as const
    return merge(
      timer(Math.floor(random() * 60)).pipe(map(() => ({ ...end, exitCode: 0 }))),
      endWhen$.pipe(
        delay(2),
        map(() => ({ ...end, exitCode: null })),
      ),
    ).pipe(take(1))
  }

function optionsOf(random: Random): SessionOptions {
  return {
    summariser: () => of('They talked.').pipe(delay(Math.floor(random() * 30))),
    compaction: { enabled: true },
    retry: { baseDelayMs: 5, jitter: () => 0 },
    ...slowParts(random),
  }
}

function toolsOf(random: Random): AnyTool[] {
  return [
    fakeTool('act', () => (random() < 0.5 ? 'at once' : of(textResult('done')).pipe(delay(10)))),
    fakeTool('ask', ({ context }) =>
      context.ask({ kind: 'confirm', text: 'Sure?' }).pipe(map(({ by }) => textResult(`answered by ${by}`))),
    ),
  ]
}

function replyOf(random: Random, number: number): ScriptedReply {
  const kind = random()
  if (kind < 0.06) return new Failure('provider_error', 'sad', { data: { kind: 'network' } })
  return {
    text: `answer ${number} `.repeat(random() < 0.5 ? 1 : 300),
    pieceLength: 400,
    delayMs: Math.floor(random() * 30),
    toolCalls: kind < 0.35 ? [{ name: pickOf(random, ['act', 'ask', 'act', 'none']) }] : [],
  }
}

/** Milliseconds at which everything has ended: questions wait 30 s for a client that has left. */
const endMs = 100_000
const lastText = 'Is it over?'

interface Played {
  readonly session: PlayedSession
  /** The number of records at each abort. */
  readonly aborts: ReadonlyMap<Sent, number>
  /** What each of three clients received: all, or from a moment on. */
  readonly received: readonly (readonly SessionRecord[])[]
  readonly isClosed: boolean
  readonly written: readonly WrittenLine[]
}

function playRandom(seed: number): Played {
  const random = randomOf(seed)
  const aborts = new Map<Sent, number>()
  const received: SessionRecord[][] = [[], [], []]
  let isClosed = false
  const at: Record<number, (control: SessionControl) => void> = {}
  const add = (ms: number, act: (control: SessionControl) => void): void => {
    const before = at[ms]
    at[ms] = (control) => {
      before?.(control)
      act(control)
    }
  }
  for (const [client, records] of received.entries()) {
    add(client * 60, ({ session }) => {
      session.records().subscribe((record) => records.push(record))
      if (random() < 0.6) session.answering$.subscribe()
    })
  }
  add(1, ({ send }) => send({ type: 'prompt', text: 'first' }))
  for (let count = 0; count < 16; count++) {
    add(5 + Math.floor(random() * 250), (control) => {
      const command = pickOf(random, commands)(control.session.state$.value, random, `input ${count}`)
      const written = received[0]?.length ?? 0
      const sent = control.send(command)
      if (command.type === 'abort') aborts.set(sent, written)
    })
  }
  // a question may still wait for an answer, and inputs for a run
  add(endMs, ({ send }) => send({ type: 'abort' }))
  add(endMs, ({ send }) => send({ type: 'clear_queue' }))
  add(endMs + 1_000, ({ send }) => send({ type: 'prompt', text: lastText }))
  add(2 * endMs, ({ session }) => session.close().subscribe({ complete: () => (isClosed = true) }))
  let isLast = false
  const store = recordingStore()
  const session = playSession({
    log: faultyLog(store),
    script: ({ messages }, number) => {
      isLast ||= messages.some(({ content }) => content === lastText)
      return isLast ? 'Yes.' : replyOf(random, number)
    },
    tools: toolsOf(random),
    userShell: shellOf(random),
    options: optionsOf(random),
    at,
  })
  return { session, aborts, received, isClosed, written: store.written }
}

/** Lists every broken law. */
function faultsOf({ session, aborts, received, isClosed }: Played): string[] {
  const { records, sent } = session
  return [
    ...(isClosed ? [] : ['the session did not close']),
    ...ordersOf(received),
    ...faultsOfRuns(records),
    ...unanswered(sent),
    ...lateStarts(session, aborts),
    ...stillOpen(session),
    ...faultsOfJobs(session.session.state$.value, session.events),
    ...contextFaults(session),
    ...logFaults(session),
  ]
}

/** Whenever a client comes, it gets every line once, in order. */
function ordersOf(received: Played['received']): string[] {
  return received.flatMap((records, client) => {
    const seqs = records.flatMap(({ seq }) => (seq === undefined ? [] : [seq]))
    return seqs.every((seq, index) => seq === index + 1) ? [] : [`client ${client} has a gap or a repeat`]
  })
}

function unanswered(sent: readonly Sent[]): string[] {
  return sent.flatMap(({ command, completed, failure }) => {
    if (failure === undefined) return completed ? [] : [`${command.type} was never answered`]
    const { code, message } = Failure.from(failure)
    const isLast = 'text' in command && command.text === lastText
    const isRefusal = code === 'busy' || refusals[command.type]?.includes(code) === true
    return isRefusal && !isLast ? [] : [`${command.type}: ${code} ${message}`]
  })
}

/** A prompt that was sent before an abort starts no run after it. */
function lateStarts({ sent, records }: PlayedSession, aborts: Played['aborts']): string[] {
  return [...aborts].flatMap(([abort, written]) =>
    sent.slice(0, sent.indexOf(abort)).flatMap(({ command, result }) => {
      const runId = result !== undefined && 'runId' in result ? result.runId : undefined
      const at = records.findIndex((record) => record.runId === runId && record.event.type === 'agent_start')
      return runId !== undefined && at >= written ? [`${command.type} started a run after an abort`] : []
    }),
  )
}

function stillOpen({ session }: PlayedSession): string[] {
  const { running, open, requests, jobs } = session.state$.value
  const isOver = running === undefined && open === undefined && requests.length + jobs.length === 0
  return isOver ? [] : ['a run, a message, a question or a job is open']
}

/** The last request has what the log says up to its answer. */
function contextFaults({ session, requests }: PlayedSession): string[] {
  const fromLog = contextMessages(session.state$.value).flatMap((message) => modelMessage(message) ?? [])
  const strip = (messages: readonly Message[] = []) =>
    JSON.stringify(messages.map(({ role, content }) => [role, content]))
  return strip(requests.at(-1)?.messages) === strip(fromLog.slice(0, -1)) ? [] : ['request and log differ']
}

/** The log gives the state that the session had. */
function logFaults({ session, reopen }: PlayedSession): string[] {
  const before = plain(session.state$.value)
  const after = plain(replayLog(reopen()))
  return Object.keys(before)
    .filter((name) => !isDeepStrictEqual(before[name], after[name]))
    .map((name) => `the log gives other ${name}`)
}

/** As JSON; without what only serves repeated commands. */
function plain({ commands: _, carried: __, ...state }: SessionState): Record<string, unknown> {
  const text = JSON.stringify(state, (_key, value: unknown) => (value instanceof Map ? [...value] : value))
  return JSON.parse(text) as Record<string, unknown>
}

/** The process ends after one of the lines, and the session is opened again. */
function crashFaults({ written }: Played, lines: number): string[] {
  const session = playSession({
    log: { ...faultyLog(), log: logOf(written.slice(0, lines)) },
    script: () => 'Yes.',
    tools: toolsOf(() => 0),
    options: { ids: randomIds() },
    at: { 1: ({ send }) => send({ type: 'prompt', text: lastText }) },
  })
  const logged = [...session.session.logged()]
  const jobFaults = faultsOfJobs(
    session.session.state$.value,
    logged.map(({ event }) => event),
  )
  return [
    ...stillOpen(session),
    ...faultsOfRuns(logged),
    ...jobFaults,
    ...unanswered(session.sent),
    ...contextFaults(session),
  ].map((fault) => `after a crash behind line ${lines}: ${fault}`)
}

describe('random commands of clients whose work takes time', () => {
  it(
    'break no law',
    () => {
      const faulty: unknown[] = []
      const met = new Set<string>()
      for (let seed = 1; seed <= sampleSize(100, 3_000); seed++) {
        const played = playRandom(seed)
        for (const { type } of played.session.events) met.add(type)
        for (const { command, failure } of played.session.sent)
          met.add(failure === undefined ? command.type : `${command.type} ${Failure.from(failure).code}`)
        const lines = 1 + Math.floor(randomOf(-seed)() * played.written.length)
        const faults = [...faultsOf(played), ...crashFaults(played, lines)]
        if (faults.length > 0) faulty.push({ seed, faults })
      }
      expect(faulty.slice(0, 3)).toEqual([])
      const wanted = [
        'compaction',
        'branch_summary',
        'files_restored',
        'job_end',
        'ui_resolved',
        'context_edit',
        'undo',
      ]
      expect(met).toEqual(new Set([...met, ...wanted, 'prompt cancelled', 'prompt busy', 'compact cancelled']))
    },
    sampleSize(60_000, 900_000),
  )
})
