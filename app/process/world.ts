// Interface of a command to its process: environment, streams, signals; tests pass their own.
import type { Observable } from 'rxjs'
import type { Client } from '../../lib/server/client/client.ts'
import type { Signal } from './exit-code.ts'
import type { Output } from './output.ts'

export interface ProcessWorld {
  /** Environment for sessions and tools. */
  readonly env: Readonly<Record<string, string>>
  readonly stdin: StandardInput
  readonly stdout: Output
  readonly stderr: Output
  /** Emits signals; never completes. A second signal ends the process at once. */
  readonly signals$: Observable<Signal>
}

/** With a client of an embedded server. */
export interface World extends ProcessWorld {
  readonly client: Client
}

export interface StandardInput {
  /** A terminal, or an input without data (`/dev/null`). */
  readonly isEmpty: boolean
  /** For one subscriber; completes at the end of the input. */
  readonly chunks$: Observable<Uint8Array>
  /** Present if the input is a terminal. */
  readonly terminal?: RawTerminal
}

/** A terminal without echo and without signals, while subscribed. */
export interface RawTerminal {
  /** For one subscriber; completes when the terminal is gone. */
  readonly raw$: Observable<Uint8Array>
}
