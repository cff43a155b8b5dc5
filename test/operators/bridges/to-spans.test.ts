// Tests `toSpans` with the tracer and exporter of OpenTelemetry: names, parents, times, tokens, content and ends.
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { Subject, from } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { RecordedEvent } from '../../../lib/operators/events/measure-events.ts'
import { toSpans } from '../../../lib/operators/bridges/to-spans.ts'
import type { SpansOptions } from '../../../lib/operators/bridges/to-spans.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { scriptedRun } from '../../support/scripted-run.ts'
import { assistant, sampleEvents, sampleUsage } from '../../streams/events/samples.ts'

function tracing() {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  return { tracer: provider.getTracer('test'), spans: () => exporter.getFinishedSpans() }
}

function spansOf(events: readonly (AgentEvent | RecordedEvent)[], options: Partial<SpansOptions> = {}): ReadableSpan[] {
  const { tracer, spans } = tracing()
  const passed: unknown[] = []
  from(events)
    .pipe(toSpans({ tracer, ...options }))
    .subscribe((event) => passed.push(event))
  expect(passed).toEqual(events)
  return spans()
}

const start: AgentEvent = { type: 'agent_start', model: 'google/gemini', tools: [], thinkingLevel: 'off' }
const turn: AgentEvent = { type: 'turn_start', turnId: 'tttttttt', turnIndex: 0 }
const answer = assistant([{ type: 'text', text: 'secret' }], { provider: 'google', model: 'gemini', responseModel: 'gemini-2', responseId: 'r' }) // prettier-ignore
const answered: AgentEvent = { type: 'message_end', entryId: 'aaaaaaaa', parentId: null, message: answer }
const end: AgentEvent = { type: 'agent_end', totalTurns: 1, usage: sampleUsage, durationMs: 1, terminationReason: 'completed' } // prettier-ignore
const turnEnd = { ...sampleEvents.turn_end, turnId: 'tttttttt' }

/** Each span with that of its parent. */
function treeOf(spans: readonly ReadableSpan[]): string[] {
  const names = new Map(spans.map((span) => [span.spanContext().spanId, span.name]))
  return spans.map(({ name, parentSpanContext }) => `${name} < ${names.get(parentSpanContext?.spanId ?? '') ?? '-'}`)
}

describe('toSpans', () => {
  it('traces a run: agent, turn, request and tool', () => {
    const spans = spansOf(scriptedRun(['one ', 'two']), { session: 's', agentName: 'helper' })
    expect(treeOf(spans)).toEqual([
      'chat model < turn 1',
      'execute_tool bash < turn 1',
      'turn 1 < invoke_agent helper',
      'invoke_agent helper < -',
    ])
    expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1)
    const [chat, tool, , agent] = spans
    expect(chat?.kind).toBe(SpanKind.CLIENT)
    expect(agent?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'helper',
      'gen_ai.conversation.id': 's',
      'gen_ai.provider.name': 'fake',
      'rxpi.run.termination_reason': 'completed',
    })
    expect(tool?.attributes).toMatchObject({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'bash' })
  })

  it('counts tokens and cost, and names vendor and models by the conventions', () => {
    const [chat] = spansOf([start, turn, answered, turnEnd, end])
    expect(chat?.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'gcp.gemini',
      'gen_ai.request.model': 'gemini',
      'gen_ai.response.model': 'gemini-2',
      'gen_ai.response.id': 'r',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 6,
      'gen_ai.usage.output_tokens': 4,
      'gen_ai.usage.cache_read.input_tokens': 1,
      'gen_ai.usage.cache_creation.input_tokens': 2,
      'rxpi.usage.cost_usd': 1.05,
    })
  })

  it('has no content unless it is wanted', () => {
    const events = [start, ...scriptedRun(['secret']).slice(1)]
    const textOf = (spans: readonly ReadableSpan[]): string => JSON.stringify(spans.map(({ attributes, events }) => [attributes, events])) // prettier-ignore
    expect(textOf(spansOf(events))).not.toMatch(/secret|hi/)
    const [chat, tool, , agent] = spansOf(events, { content: true })
    expect(JSON.parse(String(agent?.attributes['gen_ai.input.messages']))).toEqual([{ role: 'user', parts: [{ type: 'text', content: 'hi' }] }]) // prettier-ignore
    expect(String(chat?.attributes['gen_ai.output.messages'])).toContain('secret')
    expect(tool?.attributes).toHaveProperty('gen_ai.tool.call.result')
  })

  it('takes the times of records', () => {
    const events = [start, turn, answered, turnEnd, end].map((event, index) => ({
      event,
      at: 2_000_000_000_000 + index * 10,
    }))
    const times = spansOf(events).map(({ name, startTime, endTime }) => [name, startTime[1] / 1e6, endTime[1] / 1e6])
    expect(times).toEqual([
      ['chat gemini', 10, 20],
      ['turn 1', 10, 30],
      ['invoke_agent rxpi', 0, 40],
    ])
  })

  it.each([
    ['a failed tool', sampleEvents.tool_execution_end.toolName, [sampleEvents.tool_execution_start, { ...sampleEvents.tool_execution_end, isError: true }], 'tool_error'], // prettier-ignore
    ['a failed request', 'gemini', [{ ...answered, message: { ...answer, stopReason: 'error' } }], 'error'],
  ] as const)('marks %s', (_, name, events, fault) => {
    const span = spansOf([start, turn, ...(events as readonly AgentEvent[]), turnEnd, end]).find((each) => each.name.endsWith(name)) // prettier-ignore
    expect(span).toMatchObject({ status: { code: SpanStatusCode.ERROR, message: fault } })
    expect(span?.attributes).toHaveProperty(['error.type'], fault)
  })

  it('marks a failed run with the code of its error', () => {
    const failed: AgentEvent = { ...end, terminationReason: 'error', error: { code: 'provider_error', message: 'sad' } }
    expect(spansOf([start, failed])).toMatchObject([
      { status: { code: SpanStatusCode.ERROR, message: 'provider_error' } },
    ])
  })

  it('notes retries, other models and compactions in the run', () => {
    const spans = spansOf([start, sampleEvents.auto_retry, sampleEvents.model_fallback, sampleEvents.compaction, end])
    expect(spans[0]?.events.map(({ name }) => name)).toEqual([
      'rxpi.auto_retry',
      'rxpi.model_fallback',
      'rxpi.compaction',
    ])
  })

  it.each(['complete', 'error', 'unsubscribe'] as const)('ends open spans as incomplete: %s', (ending) => {
    const { tracer, spans } = tracing()
    const source$ = new Subject<AgentEvent>()
    const subscription = source$.pipe(toSpans({ tracer })).subscribe({ error: () => undefined })
    for (const event of [start, turn, sampleEvents.tool_execution_start]) source$.next(event)
    if (ending === 'unsubscribe') subscription.unsubscribe()
    else source$[ending](new Error('ends'))
    expect(treeOf(spans())).toEqual([
      'execute_tool read < turn 1',
      'chat gemini < turn 1',
      'turn 1 < invoke_agent rxpi',
      'invoke_agent rxpi < -',
    ])
    expect(spans().every(({ status }) => status.code === SpanStatusCode.ERROR)).toBe(true)
  })

  it('fails with its source, and unsubscribes it', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('a-#', { a: start })
      expectObservable(source$.pipe(toSpans(tracing()))).toBe('a-#', { a: start })
      expectSubscriptions(source$.subscriptions).toBe('^-!')
    })
  })
})
