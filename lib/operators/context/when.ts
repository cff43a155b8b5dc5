// Applies a context transform to some requests only.
import { of, switchMap } from 'rxjs'
import type { AgentContext, ContextTransform } from '../../streams/ports/agent-context.ts'

/**
 * Applies `transform` to the contexts for which `condition` is true; the others pass unchanged. The state of the
 * transform lives as long as that of this operator.
 *
 * Ends and fails with its source, with `transform`, or with a throw of `condition`. Buffers nothing; a context that
 * arrives while another is being transformed replaces it; on unsubscribe both are unsubscribed.
 */
export function when(condition: (context: AgentContext) => boolean, transform: ContextTransform): ContextTransform {
  return switchMap((context) => (condition(context) ? of(context).pipe(transform) : of(context)))
}
