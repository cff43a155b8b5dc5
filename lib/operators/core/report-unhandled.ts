// An error that nobody handles goes where rxjs' own go.
import { throwError } from 'rxjs'

/** To rxjs' `config.onUnhandledError`, else it becomes an `uncaughtException`; not in this call. */
export function reportUnhandled(error: unknown): void {
  // eslint-disable-next-line rxjs-x/throw-error -- as it was thrown
  throwError(() => error).subscribe()
}
