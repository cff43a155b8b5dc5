// What a command may use of the process that it runs in; tests bring their own.
import type { Observable } from 'rxjs'
import type { Client } from '../../lib/server/client/client.ts'
import type { Signal } from './exit-code.ts'
import type { Output } from './output.ts'

export interface ProcessWorld {
  /** The environment that sessions and tools get. */
  readonly env: Readonly<Record<string, string>>
  readonly stdin: StandardInput
  readonly stdout: Output
  readonly stderr: Output
  /** Signals as they come; never completes. A second one is not told: it ends the process at once. */
  readonly signals$: Observable<Signal>
}

/** With a server in the same process. */
export interface World extends ProcessWorld {
  readonly client: Client
}

export interface StandardInput {
  /** A terminal, or nothing that anybody wrote to (`/dev/null`): there is nothing to read. */
  readonly isEmpty: boolean
  /** For one subscriber; completes at its end. */
  readonly chunks$: Observable<Uint8Array>
  /** Where a person sits at it. */
  readonly terminal?: RawTerminal
}

/** A terminal that shows nothing of what is typed, and makes no signals of it, while it is subscribed to. */
export interface RawTerminal {
  /** For one subscriber; completes where the terminal has gone. */
  readonly raw$: Observable<Uint8Array>
}
