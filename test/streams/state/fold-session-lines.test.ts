// Tests that log lines fold to the same session as the original events.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { isDurable } from '../../../lib/streams/events/event.ts'
import { lineEvent } from '../../../lib/streams/log/line-event.ts'
import type { AssistantContent } from '../../../lib/streams/messages/message.ts'
import { assistant, sampleEvents, toolResult, user } from '../events/samples.ts'
import { foldEvents, start, end } from './fold-session-scene.ts'

/** The events as a reader of the log folds them. */
function throughLines(events: readonly AgentEvent[]): AgentEvent[] {
  return events.filter(isDurable).map((event) => JSON.parse(JSON.stringify(lineEvent(event))) as AgentEvent)
}

const call = (id: string, args: Record<string, unknown> = {}): AssistantContent => ({
  type: 'toolCall',
  id,
  name: 'read',
  arguments: args,
})

describe('folding lines', () => {
  it('restores the content, details and isError of a result [EVENT-once]', () => {
    const { toolCallId, content, details } = sampleEvents.tool_execution_end
    const result = toolResult({ toolCallId, content, details, isError: true })
    const events = [
      sampleEvents.tool_execution_start,
      { ...sampleEvents.tool_execution_end, isError: true },
      end('r', result),
    ]
    expect(throughLines(events)[2]).not.toHaveProperty('message.content')
    expect(foldEvents(throughLines(events)).entries.get('r')?.message).toEqual(result)
  })

  it('restores the arguments of a call if no hook changed them', () => {
    const events: AgentEvent[] = [
      end(
        'abcdefg2',
        assistant([{ type: 'text', text: '' }, call('call_0', { path: 'z' }), call('call_1', { path: 'a' })]),
      ),
      { ...sampleEvents.tool_execution_start, args: { path: 'a' }, argsChanged: false },
    ]
    expect(throughLines(events)[1]).not.toHaveProperty('args')
    expect(foldEvents(throughLines(events)).tools.get('call_1')?.args).toEqual({ path: 'a' })
  })

  it.each<[string, AgentEvent[]]>([
    ['is in no message', []],
    ['is in a message of the user only', [end('abcdefg2', user())]],
    ['its message does not have', [end('abcdefg2', assistant([call('call_2', { path: 'a' })]))]],
  ])('has no arguments for a call that %s', (_, before) => {
    const started = { ...sampleEvents.tool_execution_start, args: {}, argsChanged: false }
    const { tools } = foldEvents(throughLines([...before, started]))
    expect(tools.get('call_1')).toMatchObject({ toolCallId: 'call_1', args: undefined })
  })

  it('takes arguments that a hook changed from the line', () => {
    const events: AgentEvent[] = [
      end('abcdefg2', assistant([call('call_1', { path: 'a' })])),
      { ...sampleEvents.tool_execution_start, args: { path: 'b' }, argsChanged: true },
    ]
    expect(foldEvents(throughLines(events)).tools.get('call_1')?.args).toEqual({ path: 'b' })
  })

  it('gives the same session as the fold of the original events', () => {
    fc.assert(
      fc.property(fc.array(fc.array(turnSpec, { minLength: 1, maxLength: 4 }), { maxLength: 4 }), (runs) => {
        const events = runs.flatMap(runEvents)
        const live = foldEvents(events)
        const read = foldEvents(throughLines(events))
        expect(read).toEqual(live)
        expect([...read.entries]).toEqual([...live.entries])
        expect(read.seq).toBe(events.filter(isDurable).length)
      }),
    )
  })
})

interface CallSpec {
  readonly args: Record<string, unknown>
  readonly hooked: boolean
  readonly isError: boolean
  readonly text: string
  readonly details: unknown
  readonly output: string
}

interface TurnSpec {
  readonly text: string
  readonly calls: readonly CallSpec[]
  readonly queued: boolean
}

const callSpec: fc.Arbitrary<CallSpec> = fc.record({
  args: fc.dictionary(fc.string({ minLength: 1, maxLength: 3 }), fc.integer(), { maxKeys: 2, noNullPrototype: true }),
  hooked: fc.boolean(),
  isError: fc.boolean(),
  text: fc.string({ maxLength: 5 }),
  details: fc.option(fc.record({ n: fc.integer() }, { noNullPrototype: true }), { nil: undefined }),
  output: fc.string({ maxLength: 5 }),
})

const turnSpec: fc.Arbitrary<TurnSpec> = fc.record({
  text: fc.string({ maxLength: 8 }),
  calls: fc.array(callSpec, { maxLength: 3 }),
  queued: fc.boolean(),
})

/** The events that a session publishes for one run, transient ones included. */
function runEvents(turns: readonly TurnSpec[], run: number): AgentEvent[] {
  const settledRun: AgentEvent[] = [sampleEvents.agent_end, sampleEvents.agent_settled]
  return [
    sampleEvents.agent_start,
    ...turns.flatMap((turn, index) => turnEvents(turn, `${run}_${index}`)),
    ...settledRun,
  ]
}

function turnEvents({ text, calls, queued }: TurnSpec, name: string): AgentEvent[] {
  const asst = `a${name}`
  const question = `u${name}`
  const content: AssistantContent[] = [
    { type: 'text', text },
    ...calls.map(({ args }, index) => call(`${name}_${index}`, args)),
  ]
  const queueId = `q${name}`
  const input: AgentEvent = { type: 'queue_update', queue: 'steering', op: 'add', queueId, content: text }
  return [
    sampleEvents.turn_start,
    ...(queued ? [input] : []),
    { type: 'message_start', entryId: question, parentId: null, message: user([]), ...(queued ? { queueId } : {}) },
    end(question, user(text)),
    start(asst, assistant(), question),
    { type: 'message_update', entryId: asst, delta: { type: 'text_start', contentIndex: 0 } },
    { type: 'message_update', entryId: asst, delta: { type: 'text_delta', contentIndex: 0, offset: 0, text } },
    end(asst, assistant(content), question),
    ...calls.flatMap((spec, index) => executionEvents(spec, `${name}_${index}`, asst)),
    ...calls.flatMap((spec, index) => resultEvents(spec, `${name}_${index}`, asst)),
    sampleEvents.turn_end,
  ]
}

function executionEvents(spec: CallSpec, toolCallId: string, entryId: string): AgentEvent[] {
  const changed = spec.hooked ? { args: { hooked: spec.args }, argsChanged: true } : { args: spec.args }
  const details = spec.details === undefined ? {} : { details: spec.details }
  return [
    { type: 'tool_execution_start', toolCallId, toolName: 'read', entryId, ...changed },
    { type: 'tool_execution_update', toolCallId, updateType: 'stdout', content: spec.output, offset: 0 },
    {
      type: 'tool_execution_end',
      toolCallId,
      toolName: 'read',
      isError: spec.isError,
      content: [{ type: 'text', text: spec.text }],
      ...details,
      durationMs: 1,
    },
  ]
}

function resultEvents({ isError, text, details }: CallSpec, toolCallId: string, parentId: string): AgentEvent[] {
  const message = toolResult({
    toolCallId,
    isError,
    content: [{ type: 'text', text }],
    ...(details === undefined ? {} : { details }),
  })
  return [start(`r${toolCallId}`, { ...assistant() }, parentId), end(`r${toolCallId}`, message, parentId)]
}
