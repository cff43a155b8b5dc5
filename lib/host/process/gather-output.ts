// Gathers what a process prints, up to a bound, and how it ended.
import { map, reduce } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import type { ProcessEnd, ProcessEvent } from './process-event.ts'

export interface GatheredOutput {
  /** Null if a signal ended it. */
  readonly exitCode: number | null
  /** It was ended before it ended by itself. */
  readonly cutShort: boolean
  readonly stdout: string
  readonly stderr: string
}

interface Gathered extends Pick<GatheredOutput, 'stdout' | 'stderr'> {
  readonly end?: ProcessEnd
}

/**
 * Emits once, when the source ends, and fails with it. Holds the first `maxUnits` UTF-16 units of each output; drops what
 * follows.
 */
export function gatherOutput(maxUnits: number): OperatorFunction<ProcessEvent, GatheredOutput> {
  const gather = (gathered: Gathered, event: ProcessEvent): Gathered => {
    if (event.type === 'end') return { ...gathered, end: event }
    const { stream, text } = event
    return { ...gathered, [stream]: `${gathered[stream]}${text}`.slice(0, maxUnits) }
  }
  return (event$) =>
    event$.pipe(
      reduce(gather, { stdout: '', stderr: '' }),
      map(({ stdout, stderr, end }) => ({
        stdout,
        stderr,
        exitCode: end?.exitCode ?? null,
        cutShort: end?.cutShort === true,
      })),
    )
}
