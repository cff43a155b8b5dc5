// What one connection offers to each session: from its attachment on, and exactly as long as that.
import { Observable, defer, finalize, from, identity, map, of, tap } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { CommandNamed } from '../../streams/commands/command.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { Offer } from '../../session/contract/session.ts'
import type { Session } from '../../session/contract/session.ts'
import type { ChannelCalls } from './channel-calls.ts'
import { channelTools } from './channel-tools.ts'

export interface Offers {
  /** What the command brings, as tools; emits once. Fails with `bad_request` where one cannot be offered. */
  tools(command: Pick<CommandNamed<'attach'>, 'session' | 'tools'>): Observable<readonly AnyTool[]>
  /**
   * Offers the tools, in the place of what this connection offers to the session already, and emits what the
   * attachment's frames are to be piped through: with them the offer ends, and its calls. Where that is not subscribed in
   * the same stretch it ends at once. Emits synchronously; fails with `bad_request` where a tool's name is there already.
   * @param detach ends the attachment that was there before: when nothing can refuse the offer any more, and before the
   *   change is told
   */
  begin(session: Session, tools: readonly AnyTool[], detach: () => void): Observable<MonoTypeOperatorFunction<string>>
}

/** @param name of the client, as it is when it attaches */
export function offers(calls: ChannelCalls, name: () => string | undefined): Offers {
  const current = new Map<string, Offer>()
  const end = (session: string, own: Offer): void => {
    own.withdraw()
    if (current.get(session) !== own) return // another attachment has taken its place
    current.delete(session)
    calls.gone(session)
  }
  const offer$ = (
    session: Session,
    tools: readonly AnyTool[],
    detach: () => void,
  ): Observable<MonoTypeOperatorFunction<string>> =>
    new Observable((subscriber) => {
      const own = session.offer(tools, current.get(session.id), () => {
        current.delete(session.id) // what the attachment before offered is not its own any more: its calls go on
        detach()
      })
      const held = { is: false }
      current.set(session.id, own)
      subscriber.next((frames$) =>
        defer(() => {
          held.is = true
          return frames$.pipe(finalize(() => end(session.id, own)))
        }),
      )
      if (!held.is) end(session.id, own)
      subscriber.complete()
    })
  return {
    tools: ({ session, tools: offered = [] }) =>
      offered.length === 0
        ? of([])
        : // Ajv is not loaded where nobody offers anything
          defer(() => from(import('../../streams/schema/compile-schema.ts'))).pipe(
            map(({ compileSchema: compile }) => channelTools({ session, client: name(), offered, calls, compile })),
          ),
    begin: (session, tools, detach) =>
      tools.length === 0 ? of(identity).pipe(tap(detach)) : offer$(session, tools, detach),
  }
}
