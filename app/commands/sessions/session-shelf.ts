// A session is chosen or removed at once, without a question; what was done is said.
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ShelfInvocation } from '../../cli/invocation.ts'
import type { World } from '../../process/world.ts'

/** Emits the exit code. */
export function sessionShelf(
  { action, session, json }: ShelfInvocation,
  { client, stdout }: World,
): Observable<number> {
  const told = (result: object, text: string): number => {
    if (json) stdout.json(JSON.stringify({ session, ...result }))
    else stdout.text(text)
    return 0
  }
  if (action === 'switch') {
    return client.request({ type: 'switch_session', session }).pipe(
      map((result) => {
        const { cwd } = result
        return told(result, `rxpi -c goes on with session ${session}${cwd === undefined ? '' : ` in ${cwd}`}\n`)
      }),
    )
  }
  return client
    .request({ type: 'delete_session', session })
    .pipe(
      map((result) =>
        told(result, `Removed session ${session}:\n${result.removed.map((each) => `  ${each}\n`).join('')}`),
      ),
    )
}
