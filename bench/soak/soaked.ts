// The options of a soak, and all that it has measured.
import type { Rest } from './final-visit.ts'
import type { Sample } from './sample.ts'

export interface SoakOptions {
  readonly minutes: number
  /** The same load before the judged part, so that the server has loaded and compiled its code. */
  readonly warmUpMinutes: number
  /** Equal parts of the judged time. After each, all clients leave and all sessions rest. */
  readonly parts: number
  /** At a time. */
  readonly sessions: number
  readonly clients: number
  /** Processes that speak ACP, at a time; as many others follow a session and are killed. */
  readonly editors: number
  readonly seed: number
  /** Seconds between two samples. */
  readonly sampleS: number
  /** Milliseconds between two actions of one client, on average. */
  readonly everyMs: number
  /** Runs of a session before it is replaced, at most. */
  readonly runs: number
  /** Seconds after which an unused session leaves the server's memory. */
  readonly restAfterS: number
  /** Called with the progress from time to time. */
  readonly notify: (line: string) => void
}

export interface Soaked {
  readonly options: Omit<SoakOptions, 'notify'>
  readonly samples: readonly Sample[]
  /** When the server has just begun to listen. */
  readonly cold: Rest
  /** After the warm-up and at the end: the last client has left and the last session rests. */
  readonly before: Rest
  readonly after: Rest
  /** After each part; the last one is `after`. */
  readonly rests: readonly Rest[]
  /** The counts of actions, model requests and events. */
  readonly counts: Readonly<Record<string, number>>
  /** The faults of the server. */
  readonly faults: readonly string[]
  /** The faults of the soak: with one of them, its verdict means nothing. */
  readonly ownFaults: readonly string[]
  /** Lines of the server's standard error. */
  readonly standardError: readonly string[]
  readonly ended: string
  readonly logs: number
  readonly comparedStates: number
  /** Programs of the processes that remained after the server had ended. */
  readonly orphans: readonly string[]
  /** Files in the server's temporary folder after its end. */
  readonly leftFiles: readonly string[]
}
