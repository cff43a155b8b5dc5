// Asks the hook `runEnd` whether a run that would end goes on.
import { map, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { StopSwitch } from '../../streams/rx/stop-switch.ts'
import { runTurnHook } from '../hooks/run-hook.ts'
import type { RunPorts } from '../ports/run-ports.ts'
import type { RunState } from './run-state.ts'

/** How often a hook may let one run go on. */
export const maxContinuations = 20

interface EndOptions {
  readonly ports: RunPorts
  readonly stop: StopSwitch
}

/**
 * Of one run. Returns undefined if the run ends: without a hook, after a stop or an end of its own, or if the hook has
 * been asked since the last turn. Otherwise an Observable of the follow-up that the hook adds to the queue, state first; empty if it
 * adds none.
 */
export function askAtEnd(options: EndOptions): (state: RunState) => Observable<AgentEvent> | undefined {
  const { ports, stop } = options
  const { runEnd } = ports.hooks
  let continued = 0
  let lastTurns: number | undefined
  return ({ turn: { message }, turns, end }) => {
    if (runEnd === undefined || lastTurns === turns) return undefined
    if (end !== undefined || stop.reason !== undefined || continued >= maxContinuations) return undefined
    lastTurns = turns
    const input = { continued, ...(message === undefined ? {} : { message }) }
    return runTurnHook('runEnd', () => runEnd(input), options).pipe(
      map(({ continueWith }): AgentEvent[] => {
        if (continueWith === undefined) return []
        continued += 1
        return [ports.queues.add({ queueId: ports.ids.short(), queue: 'followUp', content: continueWith })]
      }),
      mergeMap((events) => events),
    )
  }
}
