// Tests questions to users in virtual time: the first answer, the timeout or the default counts.
import { NEVER, concat, ignoreElements, map, merge, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { Question } from '../../../lib/streams/ports/ask.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { PlayedSession, SessionControl, SessionScene } from '../../support/virtual-session.ts'
import { sure, prompted, there, open, respond, resultText, isUi } from './ui-requests-scene.ts'

/** A tool that asks one question and returns its outcome. */
function asker(question: Question, more: Parameters<typeof fakeTool>[2] = {}) {
  return fakeTool(
    'ask',
    ({ context }) => context.ask(question).pipe(map((answer) => textResult(JSON.stringify(answer)))),
    { timeoutMs: 0, ...more },
  )
}

function played(question: Question, scene: Partial<SessionScene> = {}): PlayedSession {
  const script = [{ toolCalls: [{ name: 'ask' }] }, 'done']
  return playSession({ script, tools: [asker(question)], ...scene, at: { ...scene.at, ...prompted } })
}

describe('a question of a tool', () => {
  it('waits for the first answer, which is in the log before the tool continues [PORT-context, EVENT-ui_request, EVENT-ui_resolved]', () => {
    const run = played(sure, { at: { 0: there, 40: (control) => respond(control, true) } })
    expect(run.events.filter(isUi)).toMatchObject([
      { type: 'ui_request', kind: 'confirm', source: 'tool:ask', text: 'Sure?', toolCallId: 'call_1_1' },
      { type: 'ui_resolved', outcome: true, by: 'client' },
    ])
    expect(resultText(run)).toBe('{"outcome":true,"by":"client"}')
    const types = run.events.map(({ type }) => type)
    expect(types.indexOf('ui_resolved')).toBeLessThan(types.indexOf('tool_execution_end'))
    expect(run.records.filter(({ event }) => isUi(event)).every(({ seq, runId }) => seq !== undefined && runId)).toBe(
      true,
    )
    expect(run.session.state$.value.requests).toEqual([])
    expect(run.sent.at(-1)).toMatchObject({ result: {}, completed: true })
  })

  it('refuses a second answer with the origin of the first [S5b, EVENT-ui_request]', () => {
    const late = ({ send, records }: { records: PlayedSession['records'] } & SessionControl) => {
      const sentRequests = records.map(({ event }) => event).find(({ type }) => type === 'ui_request')
      if (sentRequests?.type === 'ui_request')
        send({ type: 'ui_response', requestId: sentRequests.requestId, outcome: false })
    }
    const all: PlayedSession['records'][number][] = []
    const run = played(sure, {
      onRecord: (record) => all.push(record),
      at: { 0: there, 40: (control) => respond(control, true), 50: (control) => late({ ...control, records: all }) },
    })
    expect(run.sent.at(-1)?.failure).toMatchObject({ code: 'bad_request', data: { resolvedBy: 'client' } })
    expect(resultText(run)).toContain('true')
  })

  it('accepts a repeated answer with the same opId, and refuses the opId with another body [S5d]', () => {
    let request: EventNamed<'ui_request'> | undefined
    const again = (control: SessionControl, outcome: boolean) =>
      control.send({ type: 'ui_response', requestId: request?.requestId ?? '', outcome }, { opId: 'mine' })
    const run = played(sure, {
      at: {
        0: there,
        40: (control) => {
          request = open(control)
          respond(control, true, { opId: 'mine' })
        },
        50: (control) => again(control, true),
        60: (control) => again(control, false),
      },
    })
    expect(run.sent.slice(1)).toMatchObject([{ result: {} }, { result: {} }, { failure: { code: 'bad_request' } }])
    expect(run.events.filter(({ type }) => type === 'ui_resolved')).toHaveLength(1)
  })

  it('gets its default at once if no client can answer [EVENT-ui_default]', () => {
    const run = played({ ...sure, default: true })
    expect(resultText(run)).toBe('{"outcome":true,"by":"default"}')
    expect(run.events.filter(isUi)).toMatchObject([{ type: 'ui_request' }, { type: 'ui_resolved', by: 'default' }])
    expect(run.records.at(-1)?.at).toBe(1)
  })

  it('gets its default after its timeout [EVENT-ui_default]', () => {
    const run = played({ kind: 'select', text: 'Which?', options: ['a', 'b'], timeoutMs: 500 }, { at: { 0: there } })
    expect(resultText(run)).toBe('{"outcome":null,"by":"timeout"}')
    expect(run.records.find(({ event }) => event.type === 'ui_resolved')?.at).toBe(501)
  })

  it('waits 30 s for a client that has left, and no longer', () => {
    let first: ReturnType<typeof there> | undefined
    const leaves = {
      0: (control: SessionControl) => {
        first = there(control)
      },
      100: () => first?.unsubscribe(),
    }
    const never = played(sure, { at: leaves })
    expect(never.records.find(({ event }) => event.type === 'ui_resolved')).toMatchObject({
      at: 30_100,
      event: { by: 'default' },
    })
    const back = played(sure, {
      at: { ...leaves, 20_000: (control) => there(control), 60_000: (control) => respond(control, true) },
    })
    expect(back.records.find(({ event }) => event.type === 'ui_resolved')).toMatchObject({
      at: 60_000,
      event: { by: 'client' },
    })
  })

  it('is resolved by an abort, before the run ends', () => {
    const run = played(sure, { at: { 0: there, 40: ({ send }) => send({ type: 'abort' }) } })
    const types = run.events.map(({ type }) => type)
    expect(run.events.filter(isUi).at(-1)).toMatchObject({ outcome: false, by: 'default' })
    expect(types.indexOf('ui_resolved')).toBeLessThan(types.indexOf('agent_end'))
    expect(types.filter((type) => type === 'ui_resolved')).toHaveLength(1)
  })

  it('is resolved if its call ends first', () => {
    const sentRequests = fakeTool('ask', ({ context }) =>
      merge(context.ask(sure).pipe(ignoreElements()), timer(200).pipe(map(() => textResult('by itself')))),
    )
    const run = played(sure, { tools: [sentRequests], at: { 0: there } })
    expect(run.records.find(({ event }) => event.type === 'ui_resolved')).toMatchObject({
      at: 201,
      event: { by: 'default' },
    })
    expect(resultText(run)).toBe('by itself')
  })

  it('pauses the time limit of its call, but not that of the run [LOOP-29b]', () => {
    const tools = [asker(sure, { timeoutMs: 200 })]
    const answered = played(sure, { tools, at: { 0: there, 60_000: (control) => respond(control, true) } })
    expect(resultText(answered)).toBe('{"outcome":true,"by":"client"}')
    const options = { limits: { wallClockMs: 5_000 } }
    const forgotten = played(sure, { tools, options, at: { 0: there } })
    const end = forgotten.records.find(({ event }) => event.type === 'agent_end')
    expect(end).toMatchObject({ at: 5_001, event: { terminationReason: 'wall_clock_timeout' } })
    const late = fakeTool('ask', ({ context }) => concat(context.ask(sure).pipe(ignoreElements()), NEVER), {
      timeoutMs: 200,
    })
    const overdue = played(sure, { tools: [late], at: { 0: there, 60_000: (control) => respond(control, true) } })
    expect(resultText(overdue)).toContain('took longer than its limit of 0.2 s')
    expect(overdue.records.find(({ event }) => event.type === 'tool_execution_end')?.at).toBe(60_200)
  })

  it('does not wait if it is a notice', () => {
    const run = played({ kind: 'notify', text: 'Look!' }, { at: { 0: there } })
    expect(resultText(run)).toBe('{"outcome":null,"by":"default"}')
    expect(run.records.at(-1)?.at).toBe(1)
  })

  it.each<[string, Question, string]>([
    ['a kind of the session’s own', { ...sure, kind: 'approval' as 'confirm' }, 'cannot have the kind "approval"'],
    ['a select without options', { kind: 'select', text: 'Which?' }, 'a select needs at least one option'],
    [
      'a default that does not fit',
      { kind: 'select', text: 'Which?', options: ['a'], default: 'b' },
      'one of its options',
    ],
    ['a text without end', { kind: 'input', text: 'x'.repeat(65_537) }, '65537 characters'],
    [
      'options without end',
      { kind: 'select', text: 'x', options: Array.from({ length: 1_001 }, String) },
      '1001 options',
    ],
    ['no time at all', { ...sure, timeoutMs: 0 }, 'timeoutMs is 0'],
    ['a time that no timer keeps', { ...sure, timeoutMs: 2 ** 31 }, 'timeoutMs'],
    ['a text that is none', { ...sure, text: 5 as unknown as string }, '/text'],
  ])('is refused before it is published: %s [S1a]', (_, question, problem) => {
    const run = played(question)
    expect(resultText(run)).toContain(problem)
    expect(run.events.filter(isUi)).toEqual([])
  })

  it.each<[Question, unknown, unknown]>([
    [sure, 'yes', true],
    [{ kind: 'select', text: 'Which?', options: ['a', 'b'] }, 'c', 'b'],
    [{ kind: 'select', text: 'Which?', options: ['a', 'b'] }, 1, null],
    [{ kind: 'input', text: 'Name?' }, 5, 'Ada'],
  ])('%j refuses the answer %j, and accepts %j [COMMAND-ui_response]', (question, wrong, right) => {
    const run = played(question, {
      at: { 0: there, 10: (control) => respond(control, wrong), 20: (control) => respond(control, right) },
    })
    expect(run.sent.slice(1)).toMatchObject([{ failure: { code: 'bad_request' } }, { result: {} }])
    expect(resultText(run)).toBe(JSON.stringify({ outcome: right, by: 'client' }))
  })
})
