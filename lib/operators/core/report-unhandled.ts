// Reports an error that no handler takes, as rxjs reports its own.
import { throwError } from 'rxjs'

/**
 * Passes the error to rxjs' `config.onUnhandledError`; without it, it becomes an `uncaughtException`. Never throws
 * itself.
 */
export function reportUnhandled(error: unknown): void {
  // eslint-disable-next-line rxjs-x/throw-error -- as it was thrown
  throwError(() => error).subscribe()
}
