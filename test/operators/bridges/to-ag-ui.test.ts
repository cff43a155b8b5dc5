// Tests `toAgUi`: runs, pieces, questions, front-end tools and the state, checked by the client of AG-UI.
import { Subject } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { AgUiEvent } from '../../../lib/operators/bridges/ag-ui-events.ts'
import { toAgUi } from '../../../lib/operators/bridges/to-ag-ui.ts'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import type { MessageDelta } from '../../../lib/streams/messages/delta.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { scriptedRun } from '../../support/scripted-run.ts'
import { assistant, sampleEvents, sampleUsage, toolResult, user } from '../../streams/events/samples.ts'
import { faultOf, verifiedAgUi } from './ag-ui-verified.ts'

const start: AgentEvent = { type: 'agent_start', model: 'p/m', tools: ['bash'], thinkingLevel: 'off' }
const settled: AgentEvent = { type: 'agent_settled' }

function end(fields: Partial<EventNamed<'agent_end'>> = {}): AgentEvent {
  return {
    type: 'agent_end',
    totalTurns: 1,
    usage: sampleUsage,
    durationMs: 1,
    terminationReason: 'completed',
    ...fields,
  }
}

function messageEnd(message: EventNamed<'message_end'>['message'], entryId = 'aaaaaaaa'): AgentEvent {
  return { type: 'message_end', entryId, parentId: null, message }
}

function piece(text: string, offset: number, contentIndex = 0): AgentEvent {
  return { type: 'message_update', entryId: 'aaaaaaaa', delta: { type: 'text_delta', contentIndex, offset, text } }
}

const question: AgentEvent = {
  type: 'ui_request',
  requestId: 'req1',
  kind: 'approval',
  source: 'core',
  text: 'May it run?',
  toolCallId: 'call_1',
  choices: ['once', 'deny'],
}
const answer: AgentEvent = { type: 'ui_resolved', requestId: 'req1', outcome: 'once', by: 'client' }

/** A call of `read` whose arguments come at once. */
const wholeCall: AgUiEvent[] = [
  { type: 'TOOL_CALL_START', toolCallId: 'call_1', toolCallName: 'read', parentMessageId: 'aaaaaaaa' },
  { type: 'TOOL_CALL_ARGS', toolCallId: 'call_1', delta: '{"path":"a"}' },
  { type: 'TOOL_CALL_END', toolCallId: 'call_1' },
]

/** In a run: the events between its snapshot and its end. */
function inRun(events: readonly AgentEvent[]): AgUiEvent[] {
  return verifiedAgUi([start, ...events, end(), settled]).slice(2, -1)
}

function typesOf(events: readonly AgUiEvent[]): string[] {
  return events.map(({ type }) => type)
}

function textOf(
  events: readonly AgUiEvent[],
  type: 'TEXT_MESSAGE_CONTENT' | 'TOOL_CALL_ARGS' | 'REASONING_MESSAGE_CONTENT',
): string {
  return events.flatMap((event) => (event.type === type ? [event.delta] : [])).join('')
}

describe('toAgUi', () => {
  it('translates a run with thinking, text, a tool call and its result [AGUI-event-run, AGUI-event-step, AGUI-event-text]', () => {
    const events = verifiedAgUi(scriptedRun(['one ', 'two']))
    expect(typesOf(events)).toEqual([
      'RUN_STARTED',
      'STATE_SNAPSHOT',
      'STEP_STARTED',
      ...['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END'],
      ...['REASONING_START', 'REASONING_MESSAGE_START'],
      ...['REASONING_MESSAGE_CONTENT', 'REASONING_MESSAGE_CONTENT', 'REASONING_MESSAGE_END', 'REASONING_END'],
      ...['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_CONTENT'],
      ...['TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_ARGS', 'TOOL_CALL_ARGS', 'TOOL_CALL_END'],
      'TEXT_MESSAGE_END',
      ...typesOf(events).slice(typesOf(events).lastIndexOf('TEXT_MESSAGE_END') + 1),
    ])
    expect(textOf(events, 'REASONING_MESSAGE_CONTENT')).toBe('one two')
    expect(JSON.parse(textOf(events, 'TOOL_CALL_ARGS'))).toEqual({ text: 'one two' })
    expect(typesOf(events).slice(-2)).toEqual(['STEP_FINISHED', 'RUN_FINISHED'])
    expect(typesOf(events)).toContain('TOOL_CALL_RESULT')
  })

  it.each([
    ['a repeated piece', [piece('one ', 0), piece('one ', 0), piece('two', 4)]],
    ['a lost piece', [piece('one ', 0), piece('o', 6)]],
    ['no piece', []],
    ['a message that begins in the middle', [piece('two', 4)]],
  ])('emits the text of a message once: %s', (_, pieces) => {
    const events = inRun([...pieces, messageEnd(assistant([{ type: 'text', text: 'one two' }]))])
    expect(textOf(events, 'TEXT_MESSAGE_CONTENT')).toBe('one two')
    expect(typesOf(events).filter((type) => type === 'TEXT_MESSAGE_START')).toHaveLength(1)
    expect(typesOf(events).at(-1)).toBe('TEXT_MESSAGE_END')
  })

  it('names a call that it did not see begin, at the end of its message', () => {
    const call = { type: 'toolCall', id: 'call_1', name: 'read', arguments: { path: 'a' } } as const
    const late: AgentEvent = { type: 'message_update', entryId: 'aaaaaaaa', delta: { type: 'toolcall_delta', contentIndex: 0, offset: 3, text: 'th' } } // prettier-ignore
    expect(inRun([late, messageEnd(assistant([call]))])).toEqual(wholeCall)
  })

  it('names a call of use_tool as the call that it asks for, which is known at the end', () => {
    const call = { type: 'toolCall', id: 'call_1', name: 'use_tool', arguments: { name: 'read', arguments: { path: 'a' } } } as const // prettier-ignore
    const streamed: MessageDelta[] = [
      { type: 'toolcall_start', contentIndex: 0, id: 'call_1', name: 'use_tool' },
      { type: 'toolcall_delta', contentIndex: 0, offset: 0, text: '{"name":"read"' },
      { type: 'toolcall_end', contentIndex: 0, arguments: call.arguments },
    ]
    const updates = streamed.map((delta): AgentEvent => ({ type: 'message_update', entryId: 'aaaaaaaa', delta }))
    expect(inRun([...updates, messageEnd(assistant([call]))])).toEqual(wholeCall)
  })

  it('gives images and errors of results [AGUI-event-result]', () => {
    const content = [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }, { type: 'image', mimeType: 'image/png', blob: 'b' }] as const // prettier-ignore
    expect(inRun([messageEnd(toolResult({ content, isError: true }))])).toEqual([
      {
        type: 'TOOL_CALL_RESULT',
        messageId: 'aaaaaaaa',
        toolCallId: 'call_1',
        role: 'tool',
        content: [
          { type: 'image', source: { type: 'data', value: 'AAAA', mimeType: 'image/png' } },
          { type: 'text', text: '[image image/png b]' },
        ],
        metadata: { isError: true },
      },
    ])
  })

  it.each([
    ['completed', { type: 'RUN_FINISHED', outcome: { type: 'success' } }],
    ['stopped', { type: 'RUN_FINISHED', outcome: { type: 'success' } }],
    ['aborted', { type: 'RUN_FINISHED', outcome: { type: 'cancelled' } }],
    ['crashed', { type: 'RUN_ERROR', code: 'crashed', message: 'The run ended: crashed' }],
  ] as const)('ends a run that is %s, with its usage', (terminationReason, expected) => {
    const usage = [{ model: 'p/m', inputTokens: 6, outputTokens: 4, totalTokens: 10, cachedInputTokens: 1, cacheWriteInputTokens: 2 }] // prettier-ignore
    expect(verifiedAgUi([start, end({ terminationReason })]).at(-1)).toMatchObject({ ...expected, usage })
  })

  it('closes what is open when a run ends in the middle of a message [AGUI-event-text]', () => {
    const turn: AgentEvent = { type: 'turn_start', turnId: 'tttttttt', turnIndex: 0 }
    const error = { code: 'provider_error', message: 'sad' }
    const events = verifiedAgUi([start, turn, piece('one', 0), end({ terminationReason: 'error', error })])
    expect(typesOf(events).slice(-3)).toEqual(['TEXT_MESSAGE_END', 'STEP_FINISHED', 'RUN_ERROR'])
    expect(events.at(-1)).toMatchObject(error)
  })

  it('ends an open run with its source', () => {
    expect(verifiedAgUi([start]).at(-1)).toEqual({ type: 'RUN_ERROR', code: 'incomplete', message: 'The events end within a run' }) // prettier-ignore
  })

  it('pauses at a question, and goes on as a run of its own [AGUI-event-interrupt]', () => {
    const events = verifiedAgUi([start, question, answer, messageEnd(user('hi')), end(), settled])
    const interrupt = { id: 'req1', reason: 'approval', message: 'May it run?', toolCallId: 'call_1', metadata: { source: 'core', choices: ['once', 'deny'] } } // prettier-ignore
    expect(events.slice(2, 6)).toEqual([
      { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/questions', value: [interrupt] }] },
      { type: 'RUN_FINISHED', threadId: 'thread', runId: 'thread:1', outcome: { type: 'interrupt', interrupts: [interrupt] } }, // prettier-ignore
      { type: 'RUN_STARTED', threadId: 'thread', runId: 'thread:2', parentRunId: 'thread:1' },
      { type: 'STATE_SNAPSHOT', snapshot: expect.objectContaining({ questions: [] }) as unknown },
    ])
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', runId: 'thread:2', outcome: { type: 'success' } })
  })

  it('names all open questions when a second one comes [AGUI-event-interrupt]', () => {
    const second = { ...question, requestId: 'req2', toolCallId: 'call_2' }
    const finished = verifiedAgUi([start, question, second, end({ terminationReason: 'aborted' })])
    expect(finished.flatMap((event) => (event.type === 'RUN_FINISHED' ? [event.outcome] : []))).toMatchObject([
      { type: 'interrupt', interrupts: [{ id: 'req1' }] },
      { type: 'interrupt', interrupts: [{ id: 'req1' }, { id: 'req2' }] },
      { type: 'cancelled' },
    ])
  })

  it('does not pause at a notice', () => {
    const notice = { ...question, kind: 'notify' } satisfies AgentEvent
    expect(inRun([notice])).toEqual([{ type: 'CUSTOM', name: 'rxpi.ui_request', value: expect.anything() as unknown }])
  })

  it('asks the front end to run its own tools, and does not repeat their results [AGUI-event-pending]', () => {
    const call = { ...sampleEvents.tool_execution_start, toolName: 'chart' }
    const result = messageEnd(toolResult({ toolName: 'chart' }))
    const events = verifiedAgUi([start, call, result, end()], { frontEndTools: new Set(['chart']) })
    expect(events[2]).toMatchObject({
      type: 'RUN_FINISHED',
      outcome: { type: 'success', pendingToolCallIds: ['call_1'] },
    })
    expect(typesOf(events)).not.toContain('TOOL_CALL_RESULT')
  })

  it('patches the state within a run, and holds changes between runs for the next snapshot [AGUI-event-state]', () => {
    const model: AgentEvent = { type: 'model_change', to: 'x/y', by: 'client' }
    const events = verifiedAgUi([start, model, end(), settled, sampleEvents.plan_update, start, end()])
    expect(events[2]).toEqual({ type: 'STATE_DELTA', delta: [{ op: 'add', path: '/model', value: 'x/y' }] })
    const snapshots = events.flatMap((event) => (event.type === 'STATE_SNAPSHOT' ? [event.snapshot] : []))
    expect(snapshots[1]).toMatchObject({ model: 'p/m', plan: sampleEvents.plan_update.items })
  })

  it('shows the queue as inputs come and are delivered', () => {
    const add: AgentEvent = { type: 'queue_update', queue: 'steering', op: 'add', queueId: 'qqqqqqqq', content: 'more' }
    const delivered: AgentEvent = { type: 'message_start', entryId: 'bbbbbbbb', parentId: null, message: user('more'), queueId: 'qqqqqqqq' } // prettier-ignore
    expect(inRun([add, delivered])).toEqual([
      { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/queue', value: [{ queueId: 'qqqqqqqq', queue: 'steering', content: 'more' }] }] }, // prettier-ignore
      { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/queue', value: [] }] },
    ])
  })

  it('emits a message that is appended between runs as a run of its own', () => {
    const events = verifiedAgUi([settled, messageEnd(user('hi')), settled])
    expect(typesOf(events)).toEqual([
      ...['RUN_STARTED', 'STATE_SNAPSHOT'],
      ...['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END', 'RUN_FINISHED'],
    ])
  })

  it('passes on every other event as CUSTOM [AGUI-event-custom]', () => {
    const silent = new Set(['agent_start', 'agent_end', 'agent_settled', 'ui_request', 'question'])
    for (const event of Object.values(sampleEvents)) {
      if (silent.has(event.type)) continue
      const translated: AgUiEvent[] = []
      const events$ = new Subject<AgentEvent>()
      events$.pipe(toAgUi({ threadId: 'thread' })).subscribe((each) => translated.push(each))
      events$.next(start)
      events$.next(event)
      events$.next(end())
      expect({ type: event.type, fault: faultOf(translated) }).toEqual({ type: event.type, fault: undefined })
    }
  })

  it('is checked by a client that refuses a wrong order [AGUI-event-order]', () => {
    const [runStarted, ...others] = verifiedAgUi(scriptedRun(['a']))
    expect(faultOf(others)).toMatchObject({ message: expect.stringContaining('RUN_STARTED') as unknown })
    expect(faultOf([runStarted, ...others].flatMap((each) => (each?.type === 'TOOL_CALL_END' || each === undefined ? [] : [each])))).toBeDefined() // prettier-ignore
  })

  it('fails with its source, and unsubscribes it', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('a-#', { a: settled })
      expectObservable(source$.pipe(toAgUi({ threadId: 'thread' }))).toBe('--#')
      expectSubscriptions(source$.subscriptions).toBe('^-!')
    })
  })
})
