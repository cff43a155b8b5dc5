// A process may end at any line of its log: whatever was open then is closed when the session is opened again.
import type { RunHelpers } from 'rxjs/testing'
import { describe, expect, it } from 'vitest'
import type { ScriptedReply } from '../../lib/providers/scripted.ts'
import { scripted } from '../../lib/providers/scripted.ts'
import { scriptedModel } from '../../lib/providers/scripted-model.ts'
import { openSession } from '../../lib/session/open-session.ts'
import type { Session, SessionCommand } from '../../lib/session/session.ts'
import type { AgentEvent, EventNamed } from '../../lib/streams/event.ts'
import { Failure } from '../../lib/streams/failure.ts'
import { emptySession, foldSession, transcript } from '../../lib/streams/fold-session.ts'
import { randomIds } from '../../lib/streams/ids.ts'
import { lineBody } from '../../lib/streams/line-event.ts'
import type { SessionLog } from '../../lib/streams/session-log.ts'
import type { SessionRecord } from '../../lib/streams/session-record.ts'
import { textResult } from '../../lib/streams/tool.ts'
import { fakeTool } from '../../lib/testing/fake-tool.ts'
import { shortNotation } from '../../lib/testing/short-name.ts'
import { logOf, recordingStore } from '../support/cut-log.ts'
import type { WrittenLine } from '../support/cut-log.ts'
import { faultyLog } from '../support/faulty-log.ts'
import { faultsOfRun } from '../support/laws.ts'
import { sampleSize } from '../support/sample-size.ts'
import { playSession } from '../support/virtual-session.ts'
import type { SessionScene } from '../support/virtual-session.ts'

/** All that a session writes while it plays. */
function linesOf(scene: (helpers: RunHelpers) => Omit<SessionScene, 'log'>): readonly WrittenLine[] {
  const store = recordingStore()
  playSession((helpers) => ({ ...scene(helpers), log: faultyLog(store) }))
  return store.written
}

function open(log: SessionLog): Session {
  const settings = {
    model: scriptedModel,
    provider: scripted([]),
    system: '',
    thinkingLevel: 'off',
    tools: [],
  } as const
  return openSession({ log, settings: () => settings, tools: { cwd: '/', env: {} }, options: { ids: randomIds() } })
}

function reopened(lines: readonly WrittenLine[]) {
  const log = logOf(lines)
  const before = [...log.records()]
  const session = open(log)
  const records = [...log.records()]
  const added = records.slice(before.length).map(({ event }) => event)
  return { log, before, session, records, added }
}

/** The lines up to the first of an event type, that line included; `nth` counts from 1. */
function upTo(lines: readonly WrittenLine[], type: AgentEvent['type'], nth = 1): readonly WrittenLine[] {
  const places = lines.flatMap(({ body }, index) => (body.includes(`"event":{"type":"${type}"`) ? [index] : []))
  return lines.slice(0, (places[nth - 1] ?? -1) + 1)
}

function named<Name extends AgentEvent['type']>(events: readonly AgentEvent[], type: Name): EventNamed<Name>[] {
  return events.filter((event): event is EventNamed<Name> & AgentEvent => event.type === type)
}

const ran = 'the process ended while this ran; it may have taken effect'

/** Two calls, one done and one on its way, while an input waits in each queue. */
const twoCalls = linesOf(({ cold }) => ({
  script: [{ text: 'I look.', toolCalls: [{ name: 'quick' }, { name: 'slow' }] }, 'Done.'],
  tools: [fakeTool('quick', 'quick result'), fakeTool('slow', cold('-----r', { r: textResult('slow result') }))],
  prompt: 'Look',
  at: {
    1: ({ send }) => {
      send({ type: 'steer', text: 'steered' })
      send({ type: 'follow_up', text: 'followed' })
    },
  },
}))

describe('a run whose process ended is closed as crashed [LOOP-26g]', () => {
  it('where a call ran: with a result that says so [LOG-recovery]', () => {
    const { added, session, records } = reopened(upTo(twoCalls, 'queue_update', 2))
    expect(shortNotation(added, { calls: true })).toBe(
      'xe(call_1_2) ms(call_1_1) me(call_1_1) ms(call_1_2) me(call_1_2) TE AE SET',
    )
    expect(named(added, 'tool_execution_end')).toMatchObject([{ isError: true, content: [{ text: ran }] }])
    const results = transcript(session.state$.value).slice(2)
    expect(results).toMatchObject([
      { toolCallId: 'call_1_1', isError: false, content: [{ text: 'quick result' }] },
      { toolCallId: 'call_1_2', isError: true, content: [{ text: ran }] },
    ])
    const ids = named(added, 'message_end').map(({ entryId }) => entryId)
    expect(named(added, 'turn_end')).toMatchObject([
      { toolResultEntryIds: ids, hasToolCalls: true, willContinue: false },
    ])
    expect(named(added, 'agent_end')).toMatchObject([{ terminationReason: 'crashed', totalTurns: 1 }])
    expect(new Set(records.slice(-3).map(({ runId }) => runId))).toEqual(new Set([records[0]?.runId]))
  })

  it('where no call had begun: with results that say that none was run', () => {
    const { added } = reopened(upTo(twoCalls, 'message_end', 2))
    expect(shortNotation(added)).toBe('xs xs xe xe ms(result) me(result) ms(result) me(result) TE AE SET')
    expect(named(added, 'tool_execution_end').map(({ content }) => content)).toEqual(
      Array(2).fill([{ type: 'text', text: 'the process ended before this ran; it was not run' }]),
    )
  })

  it('and what is queued stays queued and starts nothing [LOG-queued]', () => {
    const { session } = reopened(upTo(twoCalls, 'queue_update', 2))
    const { queue, running } = session.state$.value
    expect([queue.map(({ content }) => content), running]).toEqual([['steered', 'followed'], undefined])
  })

  it('in mid-answer: with what had arrived [LOG-recovery]', () => {
    const lines = linesOf(() => ({
      script: [{ thinking: 'Hmm, well.', text: 'One two three four.', pieceLength: 4, pieceDelayMs: 100 }],
      prompt: 'Count',
    }))
    const cut = lines.slice(0, lines.findLastIndex(({ kind }) => kind === 'checkpoint') + 1)
    const { added, session } = reopened(cut)
    expect(shortNotation(added)).toBe('me(asst) TE AE SET')
    const [, answer] = transcript(session.state$.value)
    expect(answer).toMatchObject({
      role: 'assistant',
      stopReason: 'aborted',
      content: [
        { type: 'thinking', thinking: 'Hmm, well.' },
        { type: 'text', text: expect.stringMatching(/^One two/) as string },
      ],
    })
  })

  it('in mid-call: the call is there as far as it came, and was not run', () => {
    const lines = linesOf(() => ({
      script: [
        { toolCalls: [{ name: 'write', arguments: { content: 'x'.repeat(40) } }], pieceLength: 4, pieceDelayMs: 100 },
      ],
      prompt: 'Write',
    }))
    const cut = lines.slice(0, lines.findLastIndex(({ kind }) => kind === 'checkpoint') + 1)
    const { added } = reopened(cut)
    expect(shortNotation(added)).toBe('me(asst) xs xe ms(result) me(result) TE AE SET')
    expect(named(added, 'tool_execution_end')).toMatchObject([
      { content: [{ text: 'the process ended before the answer was complete; this call was not run' }] },
    ])
  })

  it('before the prompt was taken: nothing of it is in the transcript', () => {
    const { added, session } = reopened(upTo(twoCalls, 'message_start'))
    expect(shortNotation(added)).toBe('me(user) head_moved TE AE SET')
    expect(transcript(session.state$.value)).toEqual([])
  })

  it('while a queued input was delivered: it is in the transcript, whole, and in no queue', () => {
    const at = twoCalls.findIndex(({ body }) => body.includes('"role":"user"') && body.includes('"queueId"'))
    const { session } = reopened(twoCalls.slice(0, at + 1))
    const { queue } = session.state$.value
    expect(transcript(session.state$.value).at(-1)).toMatchObject({ role: 'user', content: 'steered' })
    expect(queue.map(({ content }) => content)).toEqual(['followed'])
  })

  it('after its agent_end: with what is missing', () => {
    expect(shortNotation(reopened(upTo(twoCalls, 'agent_end')).added)).toBe('SET')
  })

  it('and not at all where it had settled, or was closed before', () => {
    expect(reopened(twoCalls).added).toEqual([])
    const log = logOf(upTo(twoCalls, 'turn_start'))
    open(log)
    const head = log.head
    open(log)
    expect([log.head, head]).toEqual([head, 5])
  })

  it('but a log that is only read is left as it is', () => {
    const log = logOf(upTo(twoCalls, 'queue_update', 2))
    const refused = new Failure('read_only', 'damaged')
    const session = open({ ...readable(log), readOnly: refused })
    expect(session.state$.value).toMatchObject({ seq: log.head, tools: new Map() })
    expect(session.state$.value.running).toBeUndefined()
  })
})

describe('what a process that ended had asked people and left running', () => {
  const asked = (requestId: string, fields: Partial<EventNamed<'ui_request'>> = {}): AgentEvent => ({
    type: 'ui_request',
    requestId: requestId.repeat(26),
    kind: 'approval',
    source: 'core',
    text: 'May it?',
    ...fields,
  })
  const answered: AgentEvent = { type: 'ui_resolved', requestId: 'b'.repeat(26), outcome: true, by: 'client' }

  function reopenedWith(lines: readonly WrittenLine[], events: readonly AgentEvent[]) {
    const log = logOf(lines)
    for (const event of events) log.append(lineBody({ seq: log.head + 1, at: 9, event }))
    const before = log.head
    const session = open(log)
    return { log, session, added: [...log.records(before)].map(({ event }) => event) }
  }

  it('is resolved by what counts without an answer, before the run ends [S5c]', () => {
    const { added, session } = reopenedWith(upTo(twoCalls, 'tool_execution_start', 2), [
      asked('a'),
      asked('b', { kind: 'confirm' }),
      asked('c', { kind: 'confirm', default: true }),
      answered,
    ])
    expect(added.slice(0, 2)).toEqual([
      { type: 'ui_resolved', requestId: 'a'.repeat(26), outcome: 'deny', by: 'recovery' },
      { type: 'ui_resolved', requestId: 'c'.repeat(26), outcome: true, by: 'recovery' },
    ])
    expect(named(added, 'agent_end')).toMatchObject([{ terminationReason: 'crashed' }])
    expect(session.state$.value.requests).toEqual([])
  })

  it('has its background jobs ended, as long as they are known to have run', () => {
    const started = (jobId: string): AgentEvent => ({ type: 'job_start', jobId, command: 'serve' })
    const lines = upTo(twoCalls, 'tool_execution_start', 2)
    const log = logOf(lines)
    const events: [number, AgentEvent][] = [
      [100, started('aaaaaaaa')],
      [200, started('bbbbbbbb')],
      [300, { type: 'job_end', jobId: 'bbbbbbbb', exitCode: 0, durationMs: 100 }],
      [450, started('cccccccc')],
    ]
    for (const [at, event] of events) log.append(lineBody({ seq: log.head + 1, at, event }))
    const before = log.head
    const session = open(log)
    const added = [...log.records(before)].map(({ event }) => event)
    expect(added.slice(0, 2)).toEqual([
      { type: 'job_end', jobId: 'aaaaaaaa', exitCode: null, durationMs: 350 },
      { type: 'job_end', jobId: 'cccccccc', exitCode: null, durationMs: 0 },
    ])
    expect(added.at(-1)).toEqual({ type: 'agent_settled' })
    expect(session.state$.value.jobs).toEqual([])
  })

  it('is resolved where no run was on, once', () => {
    const { log, added } = reopenedWith(twoCalls, [asked('a', { kind: 'input' })])
    expect(added).toEqual([{ type: 'ui_resolved', requestId: 'a'.repeat(26), outcome: null, by: 'recovery' }])
    const { head } = log
    open(log)
    expect(log.head).toBe(head)
  })
})

function readable(log: SessionLog): SessionLog {
  return {
    header: log.header,
    headerLine: log.headerLine,
    head: log.head,
    append: (body) => log.append(body),
    checkpoint: (body) => {
      log.checkpoint(body)
    },
    sync: () => undefined,
    durable: () => log.durable(),
    records: (after) => log.records(after),
    checkpoints: () => log.checkpoints(),
    close: () => log.close(),
  }
}

describe('a log that was cut after any line', () => {
  it(
    'goes on without a fault: every run ends, and what it folds to is what was told [LOG-recovery]',
    () => {
      const faulty: unknown[] = []
      const ends = new Set<string>()
      for (let seed = 1; seed <= sampleSize(25, 400); seed += 1) {
        const lines = linesOf((helpers) => randomScene(seed, helpers))
        for (let cut = 0; cut <= lines.length; cut += 1) {
          const faults = faultsOfCut(lines.slice(0, cut), ends)
          if (faults.length > 0) faulty.push({ seed, cut, faults })
        }
      }
      expect(faulty.slice(0, 3)).toEqual([])
      expect([...ends].sort()).toEqual([
        '',
        'AE SET',
        'SET',
        'TE AE SET',
        'me(asst)',
        'me(result)',
        'me(user)',
        'ms(result)',
        'xe',
        'xs',
      ])
    },
    sampleSize(120_000, 1_800_000),
  )
})

function faultsOfCut(lines: readonly WrittenLine[], ends: Set<string>): unknown[] {
  const { log, before, session, records, added } = reopened(lines)
  const first = shortNotation(added).split(' ')[0] ?? ''
  ends.add(['TE', 'AE'].includes(first) ? shortNotation(added) : first)
  const state = session.state$.value
  const runs = Map.groupBy(records, ({ runId }) => runId ?? '')
  runs.delete('')
  const replayed = records.reduce(foldSession, emptySession())
  const queued = before.reduce(foldSession, emptySession())
  const left = queued.queue.filter(({ queueId }) => queueId !== queued.open?.queueId)
  return [
    ...[...runs.values()].flatMap((run) => faultsOfRun(run.map(({ event }) => event))),
    ...differs('the lines before', records.slice(0, before.length), before),
    ...differs('the replay', replayed, state),
    ...differs('the queue', state.queue, left),
    ...differs('a second opening', open(log).state$.value, state),
    ...lostText(before, lines, added),
  ]
}

function differs(what: string, actual: unknown, expected: unknown): unknown[] {
  try {
    expect(actual).toEqual(expected)
    return []
  } catch {
    return [{ what, actual, expected }]
  }
}

/** Everything of the open answer that a checkpoint has is in the message that ends it. */
function lostText(
  before: readonly SessionRecord[],
  lines: readonly WrittenLine[],
  added: readonly AgentEvent[],
): string[] {
  const { open: unfinished } = before.reduce(foldSession, emptySession())
  if (unfinished?.message.role !== 'assistant') return []
  const [end] = named(added, 'message_end')
  const kept = JSON.stringify(end?.message.content)
  return lines.flatMap(({ kind, body }) => {
    if (kind !== 'checkpoint' || !body.includes(unfinished.entryId)) return []
    const { event } = JSON.parse(`${body}}`) as { event: EventNamed<'message_update'> }
    const text = 'text' in event.delta ? JSON.stringify(event.delta.text).slice(1, -1) : ''
    return kept.includes(text) ? [] : [`"${text}" is lost`]
  })
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Answers in slow pieces, calls side by side or one by one, inputs that come meanwhile, an abort, a failure, a second prompt. */
function randomScene(seed: number, { cold }: RunHelpers): Omit<SessionScene, 'log'> {
  const random = randomOf(seed)
  const commands: ((text: string) => SessionCommand)[] = [
    (text) => ({ type: 'steer', text }),
    (text) => ({ type: 'follow_up', text }),
    (text) => ({ type: 'prompt', text, whileRunning: 'steer' }),
    () => ({ type: 'abort' }),
  ]
  const at: Record<number, NonNullable<SessionScene['at']>[number]> = {}
  for (let index = 0; index < 5; index += 1) {
    const command = commands[Math.floor(random() * random() * commands.length)]?.(`input ${index}`)
    at[Math.floor(random() * 3_000)] = ({ send }) => {
      if (command !== undefined) send(command)
    }
  }
  return {
    script: (_, number) => replyOf(random, number),
    tools: [
      fakeTool('a', () => (random() < 0.5 ? 'at once' : cold('--p-r', { p: progress, r: textResult('a') }))),
      fakeTool('b', () => cold('---r', { r: textResult('b', { details: { seed } }) })),
    ],
    options: { toolExecution: random() < 0.3 ? 'sequential' : 'parallel', retry: { baseDelayMs: 5, jitter: () => 0 } },
    prompt: 'Go',
    at,
  }
}

const progress = { type: 'progress', updateType: 'stdout', content: 'x' } as const

function replyOf(random: () => number, number: number): ScriptedReply {
  if (number > 8) return 'enough'
  const kind = random()
  if (kind < 0.1) return new Failure('provider_error', 'sad', { data: { kind: 'network' } })
  const count = kind < 0.6 ? 1 + Math.floor(random() * 3) : 0
  return {
    ...(random() < 0.3 ? { thinking: `thought ${number}` } : {}),
    ...(random() < 0.8 ? { text: `answer ${number} "quoted"` } : {}),
    pieceLength: 3,
    pieceDelayMs: random() < 0.7 ? Math.floor(random() * 200) : 0,
    toolCalls: Array.from({ length: count }, () => ({ name: random() < 0.5 ? 'a' : 'b', arguments: { to: number } })),
  }
}
