// Holds the calls of a front end's tools until a later request brings their results.
import { Observable, defer, of } from 'rxjs'
import type { Subscriber } from 'rxjs'
import type { AgentEvent } from '../../../streams/events/event.ts'
import { Failure } from '../../../streams/values/failure.ts'
import type { ChannelResult, ChannelTool } from '../../client-tools/answer-channel-calls.ts'
import type { FrontEndResult, OfferedRunTool } from './read-run-input.ts'

/** Milliseconds that the session waits for a result. */
const resultWithinMs = 600_000

export interface FrontEndCalls {
  /** The tools of a request, as tools of a client. */
  toolsOf(offered: readonly OfferedRunTool[]): readonly ChannelTool[]
  /** The front end has the call in an answer of the model: its result may come from now on. */
  expect(toolCallId: string): void
  /** True if the result came before the session ran the call. */
  hasEarly(toolCallId: string): boolean
  /**
   * The results that no earlier request has brought: each request has the whole conversation.
   * @throws Failure `bad_request` if a call does not wait
   */
  fresh(results: readonly FrontEndResult[]): readonly FrontEndResult[]
  answer(results: readonly FrontEndResult[]): void
  /** Forgets the calls of a run that has ended, and the answered ones when the next begins. */
  apply(event: AgentEvent): void
  readonly hasOpen: boolean
}

export function frontEndCalls(): FrontEndCalls {
  const expected = new Set<string>()
  const open = new Map<string, Subscriber<ChannelResult>>()
  /** Results that came before their call. */
  const early = new Map<string, ChannelResult>()
  /** Calls of the run whose results have come. */
  const answered = new Set<string>()
  const waiting$ = (id: string): Observable<ChannelResult> =>
    new Observable((subscriber) => {
      open.set(id, subscriber)
      subscriber.add(() => open.delete(id))
      subscriber.add(() => expected.delete(id)) // cancelled, or too late
    })
  const call$ = (id: string): Observable<ChannelResult> =>
    defer(() => {
      const known = early.get(id)
      return known !== undefined && early.delete(id) ? of(known) : waiting$(id)
    })
  return {
    toolsOf: (offered) => offered.map((tool) => toolOf(tool, call$)),
    expect: (id) => {
      answered.delete(id) // a model may use an id again
      expected.add(id)
    },
    hasEarly: (id) => early.has(id),
    fresh: (results) => {
      const fresh = results.filter(({ toolCallId }) => !answered.has(toolCallId))
      const unknown = fresh.find(({ toolCallId }) => !expected.has(toolCallId))
      if (unknown !== undefined) throw unknownCall(unknown.toolCallId)
      return fresh
    },
    answer: (results) => {
      for (const { toolCallId, result } of results) {
        expected.delete(toolCallId)
        answered.add(toolCallId)
        const subscriber = open.get(toolCallId)
        if (subscriber === undefined) early.set(toolCallId, result)
        subscriber?.next(result)
        subscriber?.complete()
      }
    },
    apply: ({ type }) => {
      if (type === 'agent_start') answered.clear()
      if (type !== 'agent_end') return
      expected.clear()
      early.clear()
    },
    get hasOpen() {
      return open.size > 0
    },
  }
}

function toolOf(
  { name, description, parameters }: OfferedRunTool,
  call$: (toolCallId: string) => Observable<ChannelResult>,
): ChannelTool {
  return {
    name,
    description,
    parameters: typeof parameters === 'object' && parameters !== null ? parameters : { type: 'object' },
    timeoutMs: resultWithinMs,
    execute: (_args, { toolCallId = '' }) => call$(toolCallId),
  }
}

function unknownCall(id: string): Failure {
  return new Failure('bad_request', `No call ${JSON.stringify(id.slice(0, 200))} waits for a result.`)
}
