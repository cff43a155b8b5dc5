// The conversation goes on from another entry, here or in a session of its own.
import { EMPTY, defer, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandNamed } from '../../../lib/streams/command.ts'
import type { PickerActs } from './use-picker-acts.ts'

/** Moves the head, which its events show; a session of its own is shown from now on. */
export function branched(
  { ui, show }: PickerActs,
  command: Omit<CommandNamed<'branch_session'>, 'type'>,
): Observable<unknown> {
  return defer(() => ui.request({ type: 'branch_session', ...command })).pipe(
    mergeMap(({ session }) => (session === undefined ? EMPTY : show(session))),
  )
}
