// Asks a tool for the diff of a call, for the question about it.
import { catchError, defaultIfEmpty, defer, map, merge, of, take, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { FinalCall } from '../../operators/ports/run-ports.ts'
import type { ToolContext } from '../../streams/ports/tool.ts'

/** Milliseconds after which the question is sent without the diff. */
const limitMs = 1_000
/** UTF-16 units; a longer diff is left out, the arguments say the same. */
const maxLength = 65_536

/** Emits once and completes: a diff, or undefined if the tool has none, fails or takes too long. */
export function previewDiff(
  { tool, args }: FinalCall,
  context: Pick<ToolContext, 'cwd' | 'clientFiles'>,
): Observable<string | undefined> {
  if (tool.previewDiff === undefined) return of(undefined)
  // the tool's own schema has validated the arguments; `never` stands for them in AnyTool
  const diff$ = defer(() => tool.previewDiff?.(args as never, context) ?? of(undefined))
  return merge(diff$, timer(limitMs).pipe(map(() => undefined))).pipe(
    take(1),
    catchError(() => of(undefined)),
    defaultIfEmpty(undefined),
    map((diff) => (diff !== undefined && diff.length > maxLength ? undefined : diff)),
  )
}
