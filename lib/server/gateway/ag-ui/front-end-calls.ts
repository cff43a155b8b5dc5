// Holds the calls of a front end's tools until a later request brings their results.
import { Observable } from 'rxjs'
import type { Subscriber } from 'rxjs'
import { Failure } from '../../../streams/values/failure.ts'
import type { ChannelResult, ChannelTool } from '../../client-tools/answer-channel-calls.ts'
import type { FrontEndResult, OfferedRunTool } from './read-run-input.ts'

/** Milliseconds that the session waits for a result. */
const resultWithinMs = 600_000

export interface FrontEndCalls {
  /** The tools of a request, as tools of a client. */
  toolsOf(offered: readonly OfferedRunTool[]): readonly ChannelTool[]
  /** The front end knows that this call waits for it. */
  expect(toolCallId: string): void
  /** @throws Failure `bad_request` if the call does not wait */
  answer(results: readonly FrontEndResult[]): void
  readonly hasOpen: boolean
}

export function frontEndCalls(): FrontEndCalls {
  const expected = new Set<string>()
  const open = new Map<string, Subscriber<ChannelResult>>()
  /** Results that came before their call. */
  const early = new Map<string, ChannelResult>()
  const call$ = (id: string): Observable<ChannelResult> =>
    new Observable((subscriber) => {
      const known = early.get(id)
      early.delete(id)
      if (known !== undefined) {
        subscriber.next(known)
        subscriber.complete()
        return undefined
      }
      open.set(id, subscriber)
      return () => {
        open.delete(id)
        expected.delete(id) // cancelled, or too late
      }
    })
  return {
    toolsOf: (offered) =>
      offered.map(({ name, description, parameters }) => ({
        name,
        description,
        parameters: typeof parameters === 'object' && parameters !== null ? parameters : { type: 'object' },
        timeoutMs: resultWithinMs,
        execute: (_args, { toolCallId = '' }) => call$(toolCallId),
      })),
    expect: (id) => void expected.add(id),
    answer: (results) => {
      const unknown = results.find(({ toolCallId }) => !expected.has(toolCallId))
      if (unknown !== undefined)
        throw new Failure(
          'bad_request',
          `No call ${JSON.stringify(unknown.toolCallId.slice(0, 200))} waits for a result.`,
        )
      for (const { toolCallId, result } of results) {
        expected.delete(toolCallId)
        const subscriber = open.get(toolCallId)
        if (subscriber === undefined) early.set(toolCallId, result)
        subscriber?.next(result)
        subscriber?.complete()
      }
    },
    get hasOpen() {
      return open.size > 0
    },
  }
}
