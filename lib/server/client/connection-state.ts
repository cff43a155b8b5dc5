// How a client stands with its server, at any time.
import type { Failure } from '../../streams/values/failure.ts'
import type { HelloFrame } from '../protocol/frame.ts'

export type ConnectionState =
  | { readonly status: 'connecting' }
  | {
      readonly status: 'connected'
      readonly server: HelloFrame['server']
      /** This client was connected before, and the server has been started anew since: another `epoch`. */
      readonly restarted: boolean
    }
  | {
      readonly status: 'reconnecting'
      /** 1 at the first try after a connection that held, counted up by each that fails or is cut soon. */
      readonly attempt: number
      /** Milliseconds from the failure to the attempt. */
      readonly delayMs: number
      readonly failure: Failure
    }
  | {
      readonly status: 'closed'
      /** Why, where it was not closed by `close()`. */
      readonly failure?: Failure
    }
