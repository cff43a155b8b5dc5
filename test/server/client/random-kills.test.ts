// Tests that clients and the log agree however often connections are cut and the server's process ends.
// Over 250 lines: the scene, its commands and the laws that they may not break belong together.
import { Subject, delay, map, merge, of, take, timer } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { describe, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { ScriptedReply } from '../../../lib/providers/offline/scripted.ts'
import { reconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import type { ReceivedEvent } from '../../../lib/server/protocol/server-frame.ts'
import { openSession } from '../../../lib/session/create/open-session.ts'
import type { Session, SessionCommand } from '../../../lib/session/contract/session.ts'
import { replayLog } from '../../../lib/session/recovery/replay-log.ts'
import type { Command } from '../../../lib/streams/commands/command.ts'
import type { SessionRecord } from '../../../lib/streams/log/log-line.ts'
import { messageText } from '../../../lib/streams/messages/message-text.ts'
import type { SessionLog } from '../../../lib/streams/ports/session-log.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import type { UserShell } from '../../../lib/streams/ports/user-shell.ts'
import { compileSchema } from '../../../lib/streams/schema/compile-schema.ts'
import { emptySession, foldSession, transcript } from '../../../lib/streams/state/fold-session.ts'
import type { SessionState } from '../../../lib/streams/state/fold-session.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { logOf } from '../../support/cut-log.ts'
import { faultsOfJobs, faultsOfRuns } from '../../support/log-laws.ts'
import { mortalServer } from '../../support/mortal-server.ts'
import type { MortalServer } from '../../support/mortal-server.ts'
import { pickOf, randomOf } from '../../support/random-of.ts'
import type { Random } from '../../support/random-of.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { slowParts } from '../../support/slow-parts.ts'

const id = 'sessionaaaaa'
const lastText = 'Is it over?'
/** Milliseconds at which everything but questions has ended; those wait for a client. */
const endMs = 40_000

const commands: readonly ((state: SessionState, random: Random, text: string) => SessionCommand)[] = [
  (_, __, text) => ({ type: 'prompt', text }),
  (_, __, text) => ({ type: 'prompt', text: `/late ${text}` }),
  (_, __, text) => ({ type: 'prompt', text: `/late ${text}`, whileRunning: 'steer' }),
  () => ({ type: 'undo' }),
  (_, __, text) => ({ type: 'prompt', text, whileRunning: 'follow_up' }),
  (_, __, text) => ({ type: 'steer', text }),
  (_, __, text) => ({ type: 'follow_up', text }),
  () => ({ type: 'abort' }),
  () => ({ type: 'continue' }),
  () => ({ type: 'compact' }),
  () => ({ type: 'user_bash', command: 'ls' }),
  () => ({ type: 'clear_queue' }),
  ({ requests }) => ({ type: 'ui_response', requestId: requests[0]?.requestId ?? 'z'.repeat(26), outcome: true }),
  ({ entries }, random) => ({ type: 'branch_session', entryId: pickOf(random, [null, ...entries.keys()]) }),
  ({ entries }, random) => ({
    type: 'branch_session',
    entryId: pickOf(random, [null, ...entries.keys()]),
    summarise: true,
  }),
  ({ entries }, random, text) => ({ type: 'context_edit', entryId: pickOf(random, ['z', ...entries.keys()]), text }),
  (_, __, text) => ({ type: 'rename_session', title: text }),
]

/** Refusals that are no faults: of a server that is closing, too. */
const refusals = new Set(['busy', 'bad_request', 'cancelled', 'unknown_session'])

const shellOf =
  (random: Random): UserShell =>
  (_command, endWhen$) => {
    const end = { type: 'end', output: 'listed', truncated: false } as const
    return merge(
      timer(Math.floor(random() * 80)).pipe(map(() => ({ ...end, exitCode: 0 }))),
      endWhen$.pipe(map(() => ({ ...end, exitCode: null }))),
    ).pipe(take(1))
  }

function replyOf(random: Random, number: number): ScriptedReply {
  const kind = random()
  if (kind < 0.05) return new Failure('provider_error', 'sad', { data: { kind: 'network' } })
  return {
    text: `answer ${number} `.repeat(random() < 0.5 ? 1 : 200),
    pieceLength: 300,
    pieceDelayMs: Math.floor(random() * 10),
    delayMs: Math.floor(random() * 30),
    toolCalls: kind < 0.35 ? [{ name: pickOf(random, ['act', 'ask', 'none']) }] : [],
  }
}

function sessionOn(log: SessionLog, random: Random): Session {
  let isLast = false
  const provider = scripted(({ messages }, number) => {
    isLast ||= messages.some((message) => messageText(message) === lastText)
    return isLast ? 'Yes.' : replyOf(random, number)
  })
  const tools = [
    fakeTool('act', () => of(textResult('done')).pipe(delay(Math.floor(random() * 20)))),
    fakeTool('ask', ({ context }) =>
      context.ask({ kind: 'confirm', text: 'Sure?' }).pipe(map(({ by }) => textResult(`answered by ${by}`))),
    ),
  ]
  return openSession({
    log,
    settings: () => ({ model: scriptedModel, provider, system: '', thinkingLevel: 'off', tools }),
    tools: { cwd: '/somewhere', env: {} },
    userShell: shellOf(random),
    options: {
      approve: 'auto',
      retry: { baseDelayMs: 5, jitter: () => 0 },
      validatorOf: (tool) => tool.validate ?? compileSchema(tool.parameters),
      summariser: () => of('They talked.').pipe(delay(Math.floor(random() * 30))),
      compaction: { enabled: true },
      ...slowParts(random),
    },
  })
}

interface SentCommand {
  readonly command: SessionCommand
  readonly isRepeatable: boolean
  results: number
  result?: object
  failure?: Failure
}

/** A client that follows the session from its beginning, through every lost connection. */
function follower(server: MortalServer, name: string, deltas: boolean) {
  const cut$ = new Subject<void>()
  const client = reconnectingClient({
    open: () => server.open(cut$.pipe(take(1))),
    hello: { client: name, ui: true },
    jitter: () => 1,
    baseDelayMs: 20,
    maxDelayMs: 50,
  })
  const events: ReceivedEvent[] = []
  const own = { events, state: emptySession(), sent: [] as SentCommand[], failures: [] as unknown[] }
  client.events$(id, { after: 0, deltas }).subscribe({
    next: (event) => {
      if (event.type !== 'event') return
      events.push(event)
      own.state = foldSession(own.state, event)
    },
    error: (error: unknown) => own.failures.push(error),
  })
  const ask = (command: SessionCommand, isRepeatable: boolean): void => {
    const sent: SentCommand = { command, isRepeatable, results: 0 }
    own.sent.push(sent)
    const options = isRepeatable ? { opId: `${name}-${own.sent.length}` } : {}
    client.request({ ...command, session: id } as Command, options).subscribe({
      next: (result) => {
        sent.results += 1
        sent.result = result
      },
      error: (error: unknown) => (sent.failure = Failure.from(error)),
    })
  }
  return { own, ask, cut: () => cut$.next(), close: client.close }
}

type Own = ReturnType<typeof follower>['own']

interface Played {
  readonly server: MortalServer
  readonly clients: readonly Own[]
}

function play(seed: number): Played {
  const random = randomOf(seed)
  return new TestScheduler(() => undefined).run(() => {
    const server = mortalServer({ openSession: (log) => sessionOn(log, random), downMs: 15 })
    const followers = ['a', 'b', 'c'].map((name, index) => follower(server, name, index !== 1))
    const moves = [
      () => pickOf(random, followers).cut(),
      () => server.kill(),
      () => server.killAfter(1 + Math.floor(random() * 12)),
      () => server.restart(),
    ]
    for (let count = 0; count < 16; count++) {
      timer(Math.floor(random() * 500)).subscribe(() => {
        const { own, ask } = pickOf(random, followers)
        const make = pickOf(random, commands)
        ask(make(own.state, random, `input ${count}`), random() < 0.8)
      })
    }
    for (let count = 0; count < 5; count++) {
      timer(Math.floor(random() * 500)).subscribe(() => pickOf(random, moves)())
    }
    timer(endMs).subscribe(() => {
      server.killAfter(Infinity)
      for (const type of ['abort', 'clear_queue'] as const) followers[0]?.ask({ type }, true)
    })
    timer(endMs + 1_000).subscribe(() => followers[0]?.ask({ type: 'prompt', text: lastText }, true))
    timer(2 * endMs).subscribe(() => {
      for (const { close } of followers) close()
    })
    return { server, clients: followers.map(({ own }) => own) }
  })
}

/** Lists every broken law. */
function faultsOf({ server, clients }: Played): string[] {
  const log = logOf(server.written)
  const records = [...log.records()]
  const state = replayLog(log)
  const { running, open, requests, jobs } = state
  return [
    ...(running === undefined && open === undefined && requests.length + jobs.length === 0
      ? []
      : ['something is open']),
    ...faultsOfRuns(records),
    ...faultsOfJobs(
      state,
      records.map(({ event }) => event),
    ),
    ...clients.flatMap((own, index) => faultsOfClient(own, records, state).map((fault) => `client ${index}: ${fault}`)),
    ...inputFaults(
      clients.flatMap(({ sent }) => sent),
      state,
      records,
    ),
  ]
}

/** A client has each line once, in order, and the state that the log gives. */
function faultsOfClient(
  { events, state, failures }: Own,
  records: readonly SessionRecord[],
  last: SessionState,
): string[] {
  const lines = events.flatMap(({ line }) => line ?? [])
  const isSame = JSON.stringify(lines) === JSON.stringify(records.map(({ line }) => line))
  return [
    ...failures.map((failure) => `its events failed: ${String(failure)}`),
    ...(isSame ? [] : [`it has ${lines.length} lines of ${records.length}`]),
    ...(received(state) === received(last) ? [] : ['it has another state']),
  ]
}

function received(state: SessionState): string {
  const { seq, headEntryId, open, queue, running } = state
  return JSON.stringify({ seq, headEntryId, open, queue, running, messages: transcript(state) })
}

/** Each request is answered once; what is answered stands in the log once. */
function inputFaults(
  all: readonly SentCommand[],
  { entries }: SessionState,
  records: readonly SessionRecord[],
): string[] {
  const texts = [...entries.values()].flatMap(({ message }) => (message.role === 'user' ? [messageText(message)] : []))
  const runIds = new Set(records.map(({ runId }) => runId))
  return all.flatMap(({ command, isRepeatable, results, result = {}, failure }) => {
    const faults: string[] = []
    const { code } = failure ?? {}
    const isLost = !isRepeatable && code === 'disconnected'
    const isLast = 'text' in command && command.text === lastText
    if (failure === undefined ? results !== 1 : isLast || !(isLost || refusals.has(failure.code)))
      faults.push(`${command.type} has ${results} results, ${String(failure)}`)
    const times =
      command.type === 'prompt' ? texts.filter((text) => text === command.text.replace('/late ', '')).length : 0
    if (times > (failure === undefined || isLost ? 1 : 0))
      faults.push(`${command.type} stands in the log ${times} times`)
    if ('runId' in result && !runIds.has(result.runId as string)) faults.push(`the run of ${command.type} is lost`)
    if (command.type === 'prompt' && 'runId' in result && times === 0) faults.push('the text of a prompt is lost')
    return faults
  })
}

describe('clients of a server whose process ends at any line', () => {
  it('have what the log has, and every input is there once', { timeout: sampleSize(60_000, 900_000) }, () => {
    const faulty: unknown[] = []
    let deaths = 0
    for (let seed = 1; seed <= sampleSize(20, 2_000); seed++) {
      const played = play(seed)
      deaths += played.server.deaths
      const faults = faultsOf(played)
      if (faults.length > 0) faulty.push({ seed, faults })
    }
    expect(faulty.slice(0, 3)).toEqual([])
    expect(deaths).toBeGreaterThan(20)
  })
})
