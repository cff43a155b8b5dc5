// Tells faults of the server from faults of the soak's own code.
import { EmptyError, TimeoutError } from 'rxjs'
import { Failure, describeThrown } from '../../lib/streams/values/failure.ts'

export interface Faults {
  /** Of the server and its commands: they fail the soak. */
  readonly faults: string[]
  /** Of the soak itself: its verdict means nothing. */
  readonly ownFaults: string[]
}

/** What the client library reports, or does not report in time, is the server's. Any other error is the soak's. */
export function recordFault({ faults, ownFaults }: Faults, where: string, error: unknown): void {
  const isServers = error instanceof Failure || error instanceof TimeoutError || error instanceof EmptyError
  if (isServers) faults.push(`${where}: ${error.message}`)
  else ownFaults.push(`${where}: ${describeThrown(error)}`)
}
