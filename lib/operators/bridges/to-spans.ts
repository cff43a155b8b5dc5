// Traces a session for OpenTelemetry: spans for runs, turns, requests and tools.
import { Observable } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import { operate } from '../core/operate.ts'
import type { RecordedEvent } from '../events/measure-events.ts'
import { RunSpans } from './run-spans.ts'
import type { TracerPort } from './span-port.ts'

export interface SpansOptions {
  /** `trace.getTracer('rxpi')` of `@opentelemetry/api`. */
  readonly tracer: TracerPort
  /** The id of the session, as `gen_ai.conversation.id`. Default: none. */
  readonly session?: string
  /** The name of the agent. Default `rxpi`. */
  readonly agentName?: string
  /** Whether prompts, answers, arguments and results are in the spans. Default false: they can hold secrets. */
  readonly content?: boolean
}

/**
 * Passes everything on and traces it: a span `invoke_agent NAME` for each run, in it one for each turn, in that `chat MODEL` for
 * each request and `execute_tool NAME` for each call, with tokens and cost. It takes events, the records of `session.records()`,
 * or the `event` values of a client; records have times, and other events get that of the tracer's clock.
 *
 * Ends and fails with its source, and fails if the tracer throws. Buffers the open spans. A span that is open when the source ends,
 * or on unsubscribe, ends as `incomplete`.
 */
export function toSpans<Value extends AgentEvent | RecordedEvent>({
  tracer,
  session,
  agentName = 'rxpi',
  content = false,
}: SpansOptions): MonoTypeOperatorFunction<Value> {
  return (source$) =>
    new Observable((subscriber) => {
      const spans = new RunSpans({ tracer, session, agentName, content })
      source$.subscribe(
        operate<Value, Value>({
          destination: subscriber,
          next: (value) => {
            const recorded: RecordedEvent = 'event' in value ? value : { event: value }
            spans.event(recorded.event, recorded.at)
            subscriber.next(value)
          },
          finalize: () => spans.close(),
        }),
      )
    })
}
