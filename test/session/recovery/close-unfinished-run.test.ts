// Tests that opening a log cut at any line closes the run, turn and calls left open.
// Over 250 lines: one function over every place where a log may end.
import { describe, expect, it } from 'vitest'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { transcript } from '../../../lib/streams/state/fold-session.ts'
import { lineBody } from '../../../lib/streams/log/line-event.ts'
import type { SessionLog } from '../../../lib/streams/ports/session-log.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { shortNotation } from '../../../lib/testing/short-name.ts'
import { logOf } from '../../support/cut-log.ts'
import type { WrittenLine } from '../../support/cut-log.ts'
import { linesOf, open, reopened, named } from './close-unfinished-run-scene.ts'

/** The lines up to and including the first of an event type; `nth` counts from 1. */
function upTo(lines: readonly WrittenLine[], type: AgentEvent['type'], nth = 1): readonly WrittenLine[] {
  const places = lines.flatMap(({ body }, index) => (body.includes(`"event":{"type":"${type}"`) ? [index] : []))
  return lines.slice(0, (places[nth - 1] ?? -1) + 1)
}

const ran = 'the process ended while this ran; it may have taken effect'

/** Two calls, one finished and one running, while an input waits in each queue. */
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
  it('with a running call: its result says so [LOG-recovery]', () => {
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

  it('with a plan that nobody answered: its result says that it is proposed again', () => {
    const script = [{ toolCalls: [{ name: 'propose_plan', arguments: { plan: 'a, then b' } }] }, 'Done.']
    const lines = linesOf(({ cold }) => ({
      script,
      tools: [fakeTool('propose_plan', cold('-----r', { r: textResult('accepted') }))],
      prompt: 'Plan',
    }))
    const { added } = reopened(upTo(lines, 'tool_execution_start'))
    const text = expect.stringContaining('nothing was changed, and it is proposed again') as string
    expect(named(added, 'tool_execution_end')).toMatchObject([{ isError: true, content: [{ text }] }])
  })

  it('with a call through use_tool: under the name of the tool that ran [CONTEXT-tools-inner]', () => {
    const call = { name: 'use_tool', arguments: { name: 'slow', arguments: { path: 'a' } } }
    const lines = linesOf(({ cold }) => ({
      script: [{ toolCalls: [call] }, 'Done.'],
      tools: [fakeTool('slow', cold('-----r', { r: textResult('slow result') }))],
      options: { freezeTools: true },
      prompt: 'Look',
    }))
    const running = reopened(upTo(lines, 'tool_execution_start', 1)).added
    expect(named(running, 'tool_execution_end')).toMatchObject([{ toolName: 'slow', content: [{ text: ran }] }])
    const before = reopened(upTo(lines, 'message_end', 2)).added
    expect(named(before, 'tool_execution_start')).toMatchObject([
      { toolName: 'slow', args: { path: 'a' }, via: 'use_tool' },
    ])
  })

  it('without a started call: the results say that none was run', () => {
    const { added } = reopened(upTo(twoCalls, 'message_end', 2))
    expect(shortNotation(added)).toBe('xs xs xe xe ms(result) me(result) ms(result) me(result) TE AE SET')
    expect(named(added, 'tool_execution_end').map(({ content }) => content)).toEqual(
      Array(2).fill([{ type: 'text', text: 'the process ended before this ran; it was not run' }]),
    )
  })

  it('and queued inputs stay queued and start nothing [LOG-queued]', () => {
    const { session } = reopened(upTo(twoCalls, 'queue_update', 2))
    const { queue, running } = session.state$.value
    expect([queue.map(({ content }) => content), running]).toEqual([['steered', 'followed'], undefined])
  })

  it('in mid-answer: with the text that had arrived [LOG-recovery]', () => {
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

  it('in mid-call: the partial call stays in the answer, and was not run', () => {
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

  it('before the prompt was acknowledged: the transcript does not contain it', () => {
    const { added, session } = reopened(upTo(twoCalls, 'message_start'))
    expect(shortNotation(added)).toBe('me(user) head_moved TE AE SET')
    expect(transcript(session.state$.value)).toEqual([])
  })

  it('during the delivery of a queued input: it is whole in the transcript, and in no queue', () => {
    const at = twoCalls.findIndex(({ body }) => body.includes('"role":"user"') && body.includes('"queueId"'))
    const { session } = reopened(twoCalls.slice(0, at + 1))
    const { queue } = session.state$.value
    expect(transcript(session.state$.value).at(-1)).toMatchObject({ role: 'user', content: 'steered' })
    expect(queue.map(({ content }) => content)).toEqual(['followed'])
  })

  it('after its agent_end: only with agent_settled', () => {
    expect(shortNotation(reopened(upTo(twoCalls, 'agent_end')).added)).toBe('SET')
  })

  it('but not if it had settled, or was closed before', () => {
    expect(reopened(twoCalls).added).toEqual([])
    const log = logOf(upTo(twoCalls, 'turn_start'))
    open(log)
    const head = log.head
    open(log)
    expect([log.head, head]).toEqual([head, 5])
  })

  it('but a log that is opened for reading stays unchanged', () => {
    const log = logOf(upTo(twoCalls, 'queue_update', 2))
    const refused = new Failure('read_only', 'damaged')
    const session = open({ ...readable(log), readOnly: refused })
    expect(session.state$.value).toMatchObject({ seq: log.head, tools: new Map() })
    expect(session.state$.value.running).toBeUndefined()
  })
})

describe('the open questions and jobs of a process that ended', () => {
  const sentRequests = (requestId: string, fields: Partial<EventNamed<'ui_request'>> = {}): AgentEvent => ({
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

  it('are resolved with their defaults, before the run ends [S5c]', () => {
    const { added, session } = reopenedWith(upTo(twoCalls, 'tool_execution_start', 2), [
      sentRequests('a'),
      sentRequests('b', { kind: 'confirm' }),
      sentRequests('c', { kind: 'confirm', default: true }),
      answered,
    ])
    expect(added.slice(0, 2)).toEqual([
      { type: 'ui_resolved', requestId: 'a'.repeat(26), outcome: 'deny', by: 'recovery' },
      { type: 'ui_resolved', requestId: 'c'.repeat(26), outcome: true, by: 'recovery' },
    ])
    expect(named(added, 'agent_end')).toMatchObject([{ terminationReason: 'crashed' }])
    expect(session.state$.value.requests).toEqual([])
  })

  it('get a job_end with the duration up to the last line, commands of a user', () => {
    const started = (jobId: string): AgentEvent => ({ type: 'job_start', jobId, command: 'serve', by: 'client' })
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
    expect(added.slice(0, 2)).toMatchObject([
      { type: 'job_end', jobId: 'aaaaaaaa', exitCode: null, durationMs: 350 },
      { type: 'job_end', jobId: 'cccccccc', exitCode: null, durationMs: 0 },
    ])
    expect(added).toContainEqual({ type: 'agent_settled' })
    expect(session.state$.value.jobs).toEqual([])
  })

  it('get a job_lost, jobs of a tool [EVENT-job_lost]', () => {
    const log = logOf([])
    const started: AgentEvent = { type: 'job_start', jobId: 'aaaaaaaa', toolCallId: 'call_1', command: 'serve' }
    log.append(lineBody({ seq: log.head + 1, at: 100, event: started }))
    const before = log.head
    const session = open(log)
    expect([...log.records(before)].map(({ event }) => event)).toEqual([{ type: 'job_lost', jobId: 'aaaaaaaa' }])
    expect(session.state$.value.jobs).toEqual([])
  })

  it('get a question_resolved with the default, questions of newer kinds [EVENT-question]', () => {
    const log = logOf([])
    const ask = (id: string, more: object) =>
      ({ type: 'question', requestId: id.repeat(26), source: 'core', text: 'May it?', ...more }) as AgentEvent
    const sentRequests = [
      ask('a', { kind: 'approval' }),
      ask('b', { kind: 'form', default: { choice: 'no' } }),
      ask('c', { kind: 'plan' }),
    ]
    for (const event of sentRequests) log.append(lineBody({ seq: log.head + 1, at: 100, event }))
    const before = log.head
    const session = open(log)
    const resolved = (id: string, choice: string) => ({
      type: 'question_resolved',
      requestId: id.repeat(26),
      outcome: { choice },
      by: 'recovery',
    })
    expect([...log.records(before)].map(({ event }) => event)).toEqual([
      resolved('a', 'deny'),
      resolved('b', 'no'),
      resolved('c', 'cancel'),
    ])
    expect(session.state$.value.questions).toEqual([])
  })

  it('are resolved once if no run was active', () => {
    const { log, added } = reopenedWith(twoCalls, [sentRequests('a', { kind: 'input' })])
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
