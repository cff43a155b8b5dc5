// A conversation that is longer than the model takes is shortened once before it is given up: who shortens it is a port.
import { concat, defer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentContext } from '../../streams/ports/agent-context.ts'
import type { MakeRoom, Overflow } from '../ports/request-ports.ts'
import type { Failure } from '../../streams/values/failure.ts'
import { contextCharacters, tokenEstimate } from '../../streams/ports/token-estimate.ts'

/** Once a request. */
export interface RoomMaker {
  /** Where the context is longer than its model's window: making room and then what `again` makes; else undefined. */
  beforeSending<Value>(context: AgentContext, again: () => Observable<Value>): Observable<Value | RoomEvent> | undefined
  /** The same where the provider said so. */
  afterFailure<Value>(
    failure: Failure,
    context: AgentContext,
    again: () => Observable<Value>,
  ): Observable<Value | RoomEvent> | undefined
}

export type RoomEvent = ReturnType<MakeRoom> extends Observable<infer Event> ? Event : never

/** Without a port no room is made, and nothing is counted. */
export function roomMaker(makeRoom: MakeRoom | undefined): RoomMaker {
  let isMade = false
  function made<Value>(overflow: Overflow, again: () => Observable<Value>): Observable<Value | RoomEvent> {
    isMade = true
    return concat(
      defer(() => (makeRoom === undefined ? [] : makeRoom(overflow))),
      defer(again),
    )
  }
  return {
    beforeSending: (context, again) => {
      const { model } = context
      if (makeRoom === undefined || isMade || model.contextWindow === undefined) return undefined
      const tokens = tokensOf(context)
      return tokens > model.contextWindow ? made({ model, tokens }, again) : undefined
    },
    afterFailure: (failure, context, again) => {
      if (makeRoom === undefined || isMade || failure.data.kind !== 'context_overflow') return undefined
      return made({ model: context.model, failure, tokens: tokensOf(context) }, again)
    },
  }
}

/** All of it at the rate of a message, which the last answer's usage tells. */
function tokensOf(context: AgentContext): number {
  const { system, tools, messages } = context
  const estimate = tokenEstimate(context)
  const rest = contextCharacters({ system, tools, messages: [] })
  const asMessage = estimate({ role: 'user', content: [{ type: 'text', text: '', bytes: rest }], timestamp: 0 })
  return messages.reduce((sum, message) => sum + estimate(message), asMessage)
}
