// Leaves the UI when an extension says that the work is done, and the session is idle.
import { tap } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { ViewInput } from '../view/view-input.ts'

/**
 * Passes the inputs of one session on. Calls `leave` at the event `status` with the code `extension_leave` if no run is on, else when it has
 * settled.
 */
export function leaveWhenIdle(isRunning: () => boolean, leave: () => void): MonoTypeOperatorFunction<ViewInput> {
  let isWanted = false
  return tap((input) => {
    if (input.type !== 'event') return
    const { event } = input
    const isRequest = event.type === 'status' && event.code === 'extension_leave'
    if (isRequest) isWanted = true
    if (isWanted && (event.type === 'agent_settled' || (isRequest && !isRunning()))) leave()
  })
}
