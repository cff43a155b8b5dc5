// Runs `rxpi context`: prints what the next request would hold, as bars or JSON.
import { map, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { ContextInvocation } from '../../cli/invocation.ts'
import { endAtSignal } from '../../process/end-at-signal.ts'
import type { World } from '../../process/world.ts'
import { contextBars } from '../../text/context-bars.ts'
import { openSessionChoice } from './open-session-choice.ts'

/** Emits the exit code. Without a session: the request of a new session in this folder, which is not stored. */
export function context({ choice, json }: ContextInvocation, world: World): Observable<number> {
  const { client, stdout, signals$ } = world
  return openSessionChoice(choice, world).pipe(
    mergeMap(({ session }) => client.request({ type: 'get_context', session })),
    map((found) => {
      const { request } = found
      if (request === undefined)
        throw new Failure('bad_request', 'The server of this session cannot describe its next request; update it')
      if (json) stdout.json(JSON.stringify(found))
      else
        stdout.text(
          contextBars(request)
            .map((line) => `${line}\n`)
            .join(''),
        )
      return 0
    }),
    endAtSignal(signals$),
  )
}
