// What people are asked: one outcome each, by the first answer, its own time or its default, in virtual time.
import { NEVER, concat, ignoreElements, map, merge, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { Answer, Question } from '../../lib/streams/ask.ts'
import type { AgentEvent, EventNamed } from '../../lib/streams/event.ts'
import { textResult } from '../../lib/streams/tool.ts'
import { Failure } from '../../lib/streams/failure.ts'
import { faultyLog } from '../support/faulty-log.ts'
import { fakeTool } from '../../lib/testing/fake-tool.ts'
import { playSession } from '../support/virtual-session.ts'
import type { PlayedSession, SessionControl, SessionScene } from '../support/virtual-session.ts'

const sure: Question = { kind: 'confirm', text: 'Sure?' }

/** A tool that asks once and says what came of it. */
function asker(question: Question, more: Parameters<typeof fakeTool>[2] = {}) {
  return fakeTool(
    'ask',
    ({ context }) => context.ask(question).pipe(map((answer) => textResult(JSON.stringify(answer)))),
    { timeoutMs: 0, ...more },
  )
}

/** Behind what happens at 0. */
const prompted = { 1: ({ send }: SessionControl) => send({ type: 'prompt', text: 'Hi' }) }

function played(question: Question, scene: Partial<SessionScene> = {}): PlayedSession {
  const script = [{ toolCalls: [{ name: 'ask' }] }, 'done']
  return playSession({ script, tools: [asker(question)], ...scene, at: { ...scene.at, ...prompted } })
}

/** Somebody who can answer is there from the beginning. */
const there = ({ session }: SessionControl) => session.answering$.subscribe()

function open({ session }: Pick<SessionControl, 'session'>): EventNamed<'ui_request'> {
  const [request] = session.state$.value.requests
  if (request === undefined) throw new Error('nothing is open')
  return request
}

function respond(control: SessionControl, outcome: unknown, more: { text?: string; opId?: string } = {}) {
  const { opId, ...text } = more
  const { requestId } = open(control)
  return control.send({ type: 'ui_response', requestId, outcome, ...text }, opId === undefined ? {} : { opId })
}

function resultText({ session }: PlayedSession): string {
  const results = [...session.state$.value.entries.values()].flatMap(({ message }) =>
    message.role === 'toolResult' ? message.content.map((part) => (part.type === 'text' ? part.text : '')) : [],
  )
  return results.join()
}

const isUi = ({ type }: AgentEvent): boolean => type === 'ui_request' || type === 'ui_resolved'

describe('a question of a tool', () => {
  it('waits for the first answer, which is in the log before the tool goes on [PORT-context, EVENT-ui_request, EVENT-ui_resolved]', () => {
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

  it('is refused a second answer, which is told who was first [S5b, EVENT-ui_request]', () => {
    const late = ({ send, records }: { records: PlayedSession['records'] } & SessionControl) => {
      const asked = records.map(({ event }) => event).find(({ type }) => type === 'ui_request')
      if (asked?.type === 'ui_request') send({ type: 'ui_response', requestId: asked.requestId, outcome: false })
    }
    const all: PlayedSession['records'][number][] = []
    const run = played(sure, {
      onRecord: (record) => all.push(record),
      at: { 0: there, 40: (control) => respond(control, true), 50: (control) => late({ ...control, records: all }) },
    })
    expect(run.sent.at(-1)?.failure).toMatchObject({ code: 'bad_request', data: { resolvedBy: 'client' } })
    expect(resultText(run)).toContain('true')
  })

  it('answers the same answer again where it has the same opId, and refuses the opId for another [S5d]', () => {
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

  it('comes to its default at once where nobody can answer [EVENT-ui_default]', () => {
    const run = played({ ...sure, default: true })
    expect(resultText(run)).toBe('{"outcome":true,"by":"default"}')
    expect(run.events.filter(isUi)).toMatchObject([{ type: 'ui_request' }, { type: 'ui_resolved', by: 'default' }])
    expect(run.records.at(-1)?.at).toBe(1)
  })

  it('comes to its default when its time is over [EVENT-ui_default]', () => {
    const run = played({ kind: 'select', text: 'Which?', options: ['a', 'b'], timeoutMs: 500 }, { at: { 0: there } })
    expect(resultText(run)).toBe('{"outcome":null,"by":"timeout"}')
    expect(run.records.find(({ event }) => event.type === 'ui_resolved')?.at).toBe(501)
  })

  it('waits 30 s for one who has gone to come back, and no longer', () => {
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

  it('is resolved where its call ends first', () => {
    const asked = fakeTool('ask', ({ context }) =>
      merge(context.ask(sure).pipe(ignoreElements()), timer(200).pipe(map(() => textResult('by itself')))),
    )
    const run = played(sure, { tools: [asked], at: { 0: there } })
    expect(run.records.find(({ event }) => event.type === 'ui_resolved')).toMatchObject({
      at: 201,
      event: { by: 'default' },
    })
    expect(resultText(run)).toBe('by itself')
  })

  it('stops the clock of its call, but not that of the run [LOOP-29b]', () => {
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

  it('is not waited for where it is a notice', () => {
    const run = played({ kind: 'notify', text: 'Look!' }, { at: { 0: there } })
    expect(resultText(run)).toBe('{"outcome":null,"by":"default"}')
    expect(run.records.at(-1)?.at).toBe(1)
  })

  it.each<[string, Question, string]>([
    ['a kind of the session’s own', { ...sure, kind: 'approval' as 'confirm' }, 'not "approval"'],
    ['a select without options', { kind: 'select', text: 'Which?' }, 'select needs options'],
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
  ])('is refused before anybody sees it: %s [S1a]', (_, question, problem) => {
    const run = played(question)
    expect(resultText(run)).toContain(problem)
    expect(run.events.filter(isUi)).toEqual([])
  })

  it.each<[Question, unknown, unknown]>([
    [sure, 'yes', true],
    [{ kind: 'select', text: 'Which?', options: ['a', 'b'] }, 'c', 'b'],
    [{ kind: 'select', text: 'Which?', options: ['a', 'b'] }, 1, null],
    [{ kind: 'input', text: 'Name?' }, 5, 'Ada'],
  ])('%j is not answered by %j, but by %j [COMMAND-ui_response]', (question, wrong, right) => {
    const run = played(question, {
      at: { 0: there, 10: (control) => respond(control, wrong), 20: (control) => respond(control, right) },
    })
    expect(run.sent.slice(1)).toMatchObject([{ failure: { code: 'bad_request' } }, { result: {} }])
    expect(resultText(run)).toBe(JSON.stringify({ outcome: right, by: 'client' }))
  })
})

describe('while people are asked', () => {
  const late = { 0: there, 600_000: (control: SessionControl) => respond(control, true) }
  const hooks = ['beforeTurn', 'beforeToolCall', 'afterToolCall', 'afterTurn'] as const

  it.each(hooks)('the 30 s of %s stand still [LOOP-29b]', (name) => {
    let session: SessionControl['session'] | undefined
    let asked = 0
    const run = playSession({
      script: [{ toolCalls: [{ name: 'a' }] }, 'done'],
      tools: [fakeTool('a', 'x')],
      options: {
        hooks: { [name]: () => (asked++ === 0 ? session?.ask(sure).pipe(ignoreElements()) : undefined) },
      },
      at: {
        ...late,
        0: (control) => {
          session = control.session
          return there(control)
        },
        1: ({ send }) => send({ type: 'prompt', text: 'Hi' }),
      },
    })
    expect(run.session.state$.value.lastEnd).toMatchObject({ terminationReason: 'completed', totalTurns: 2 })
    expect(run.records.at(-1)?.at).toBe(600_000)
    expect(resultText(run)).toBe('x')
  })

  it('an attempt is not idle [LOOP-29b]', () => {
    const run = playSession({
      script: [{ text: 'x', delayMs: 650_000 }],
      prompt: 'Hi',
      at: { ...late, 5: ({ session }) => session.ask(sure).subscribe() },
    })
    expect(run.events.filter(({ type }) => type === 'auto_retry')).toEqual([])
    expect(run.session.state$.value.lastEnd).toMatchObject({ terminationReason: 'completed', durationMs: 650_000 })
  })
})

describe('a question of the program', () => {
  it('is asked outside of a run too, under the name that it gives', () => {
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

  it('is resolved with its default when the run that is on is stopped', () => {
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

  it('is resolved when its asker goes, and when the session is closed', () => {
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

  it('comes to its default where it, or its answer, cannot be written; the answer is not taken', () => {
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

  it('is refused where the session was closed, or its log cannot be written', () => {
    const failures: unknown[] = []
    const ask = ({ session }: SessionControl) => {
      session.ask(sure).subscribe({ error: (failure: unknown) => failures.push(failure) })
    }
    playSession({ script: [], at: { 0: there, 5: ({ session }) => session.close().subscribe(), 10: ask } })
    const kept = faultyLog()
    const readOnly = new Failure('read_only', 'damaged')
    const log = Object.create(kept.log, { readOnly: { value: readOnly } }) as typeof kept.log
    playSession({ script: [], log: { ...kept, log }, at: { 0: there, 10: ask } })
    expect(failures).toMatchObject([{ code: 'unknown_session' }, { code: 'read_only' }])
  })

  it('is refused beyond 1,000 that are open', () => {
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

describe("approvals: `approve: 'ask'`", () => {
  const act = (more: Parameters<typeof fakeTool>[2] = {}) => fakeTool('act', 'ran', more)
  const script = [{ toolCalls: [{ name: 'act', arguments: { path: 'a' } }] }, 'done']
  const play = (scene: Partial<SessionScene>) =>
    playSession({
      script,
      tools: [act()],
      options: { approve: 'ask' },
      ...scene,
      at: { ...scene.at, ...prompted },
    })

  it('puts the call to people, with what it would do [EVENT-ui_request]', () => {
    const run = play({ at: { 0: there, 10: (control) => respond(control, 'once') } })
    expect(run.events.find(isUi)).toMatchObject({
      kind: 'approval',
      source: 'core',
      toolCallId: 'call_1_1',
      tool: 'act',
      args: { path: 'a' },
      choices: ['once', 'deny'],
      reason: 'it may execute',
    })
    expect(resultText(run)).toBe('ran')
  })

  it('is for one call: the same call asks again, with an id of its own [S5a]', () => {
    const call = { name: 'act', arguments: { path: 'a' } }
    const yes = (control: SessionControl) => respond(control, 'once')
    const run = play({
      script: [{ toolCalls: [call, call] }, { toolCalls: [call] }, 'done'],
      at: { 0: there, 10: yes, 20: yes, 30: (control) => respond(control, 'deny') },
    })
    const asked = run.events.flatMap((event) => (event.type === 'ui_request' ? [event] : []))
    expect(asked.map(({ toolCallId, args }) => [toolCallId, args])).toEqual([
      ['call_1_1', { path: 'a' }],
      ['call_1_2', { path: 'a' }],
      ['call_2_1', { path: 'a' }],
    ])
    expect(new Set(asked.map(({ requestId }) => requestId)).size).toBe(3)
    expect(resultText(run)).toBe('ran,ran,The user did not allow this call of act.')
  })

  it('tells the model what a denial says [EVENT-denial]', () => {
    const run = play({ at: { 0: there, 10: (control) => respond(control, 'deny', { text: 'Not now.' }) } })
    expect(resultText(run)).toBe('Not now.')
  })

  it('takes no text with a consent, and no choice that was not offered', () => {
    const run = play({
      at: {
        0: there,
        10: (control) => respond(control, 'once', { text: 'Go' }),
        20: (control) => respond(control, 'session'),
        30: (control) => respond(control, 'deny'),
      },
    })
    expect(run.sent.slice(1).map(({ failure }) => (failure as { code?: string } | undefined)?.code)).toEqual([
      'bad_request',
      'bad_request',
      undefined,
    ])
    expect(resultText(run)).toBe('The user did not allow this call of act.')
  })

  it('refuses where nobody can answer [S4b]', () => {
    expect(resultText(play({}))).toContain('nobody is there to give it')
  })

  it('does not ask for reads, unless the tool always asks', () => {
    expect(play({ tools: [act({ capability: 'read' })] }).events.filter(isUi)).toEqual([])
    const always = play({ tools: [act({ capability: 'read', alwaysAsk: true })], options: { approve: 'auto' } })
    expect(always.events.filter(isUi)).toHaveLength(2)
    expect(resultText(always)).toContain('was not run')
  })
})
