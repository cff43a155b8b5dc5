// A turn waits for its hooks, for at most their limit; a stop waits for none, and one that fails ends the run.
import { EMPTY, catchError, defer, ignoreElements, takeUntil } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { StopSwitch } from '../../streams/rx/stop-switch.ts'
import { askHook } from './ask-hook.ts'
import type { CallPorts } from '../ports/run-ports.ts'

/**
 * Asks the hook and completes when it has answered, at once where the run is to stop. Emits nothing and never fails: a hook
 * that fails or takes longer than 30 s stops the run, `error`, with a Failure that names it. On unsubscribe the hook is
 * unsubscribed.
 */
export function runTurnHook(
  name: 'beforeTurn' | 'afterTurn',
  ask: () => unknown,
  { stop, ports: { asked$ } }: { readonly stop: StopSwitch; readonly ports: Pick<CallPorts, 'asked$'> },
): Observable<never> {
  return defer(() => askHook(name, ask, asked$)).pipe(
    ignoreElements(),
    takeUntil(stop.stop$),
    catchError((error: unknown) => {
      const { code, message } = Failure.from(error)
      stop.stop('error', new Failure(code, `The hook ${name} failed: ${message}`, { cause: error }))
      return EMPTY
    }),
  )
}
