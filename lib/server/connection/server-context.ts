// What every connection of one server shares.
import type { ResultOf } from '../../streams/commands/command.ts'
import type { ServerBackend } from '../../services/contract/server-backend.ts'
import type { Sessions } from '../sessions/sessions.ts'

export interface ServerContext {
  readonly backend: ServerBackend
  readonly sessions: Sessions
  /** The hello frame, the same for all. */
  readonly hello: string
  /** What `server_status` is answered with. */
  status(): ResultOf<'server_status'>
  /** Ends every connection, after what was sent, as soon as every session is closed or cannot be. */
  end(): void
}
