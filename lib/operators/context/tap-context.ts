// Looking at a context changes nothing in it.
import { tap } from 'rxjs'
import type { AgentContext, ContextTransform } from '../../streams/ports/agent-context.ts'

/**
 * Calls `look` with each context as it stands here in the pipe, then passes it on as it is. What `look` gives back is
 * ignored. Ends and fails with its source, and with a throw of `look`, which ends the turn; buffers nothing.
 */
export function tapContext(look: (context: AgentContext) => void): ContextTransform {
  return tap((context) => look(context))
}
