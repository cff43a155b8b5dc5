// Counts the faults of extensions, and tells when one has had too many.
import type { AgentEvent } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'

/** After this many faults an extension is unloaded from its session, and stays out until it is loaded anew. */
export const faultLimit = 10

export interface Fault {
  /** The name of the extension. */
  readonly extension: string
  /** The failed part, for people: `the hook tool_call`. */
  readonly where: string
  readonly failure: Failure
  /** How many faults the extension has had in this session, this one included. */
  readonly count: number
}

export interface FaultCounter {
  /** Counts a fault and reports it. Returns it as a Failure that names the extension. */
  report(extension: string, where: string, thrown: unknown): Failure
  count(extension: string): number
  /** Begins anew, for an extension that is loaded again. */
  reset(extension: string): void
}

/** @param onFault called with each fault; it must not throw */
export function faultCounter(onFault: (fault: Fault) => void): FaultCounter {
  const counts = new Map<string, number>()
  return {
    report: (extension, where, thrown) => {
      const failure = Failure.from(thrown)
      const count = (counts.get(extension) ?? 0) + 1
      counts.set(extension, count)
      onFault({ extension, where, failure, count })
      return new Failure(failure.code, `The extension ${extension} failed in ${where}: ${failure.message}`, {
        cause: thrown,
      })
    },
    count: (extension) => counts.get(extension) ?? 0,
    reset: (extension) => {
      counts.delete(extension)
    },
  }
}

/** For people; the code of the failure is in the context. */
export function faultEvent({ extension, where, failure, count }: Fault): AgentEvent {
  return {
    type: 'warning',
    code: 'extension_failed',
    message: `The extension ${extension} failed in ${where}: ${failure.message}`,
    context: { extension, where, code: failure.code, count },
    recoverable: true,
  }
}
