// Declares the port that runs the prepared calls of a batch.
import type { Observable } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { ToolCall } from '../../streams/messages/message.ts'
import type { ToolLocks } from '../../streams/ports/locks.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { StopSwitch } from '../../streams/rx/stop-switch.ts'

/** The answer of the hook that tightens the decision about a call. */
export interface CallDecision {
  readonly decision: 'ask' | 'deny'
  readonly reason?: string
}

/** A call that may run: found, validated and approved. */
export interface ReadyCall {
  readonly call: ToolCall
  readonly tool: AnyTool
  readonly args: Readonly<Record<string, unknown>>
  /** True if a hook changed the arguments. */
  readonly argsChanged: boolean
  /** The locks that it holds while it runs. */
  readonly locks: ToolLocks
  /** The hook's decision. */
  readonly hook?: CallDecision
}

export interface ScheduleOptions {
  /** Runs one call; completes when it has ended. */
  execute(call: ReadyCall): Observable<AgentEvent>
  /** The event of a call that did not start. */
  skip(call: ReadyCall): AgentEvent
  /** Called before each start: true skips the call, although the run goes on. Default: never. */
  isInterrupted?(): boolean
  readonly stop: StopSwitch
}

/**
 * Runs the calls of a batch: subscribes to `execute(call)` for those that run, emits `skip(call)` for the others, and
 * completes when all have ended. After `stop.stop$` it starts none. A call that it does neither run nor skip gets an
 * error result.
 */
export type CallScheduler = (calls: readonly ReadyCall[], options: ScheduleOptions) => Observable<AgentEvent>
