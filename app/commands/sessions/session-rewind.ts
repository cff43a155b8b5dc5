// Runs `rxpi sessions undo` and `branch --restore-files`, and prints the changes and the way back.
import { map, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { RewindInvocation } from '../../cli/invocation.ts'
import type { World } from '../../process/world.ts'
import { refusalText, undoneText } from '../../text/undo-text.ts'
import type { UndoPlan } from '../../text/undo-text.ts'

/** Emits the exit code. Fails with `not_allowed` if it would overwrite other edits and `force` is off. */
export function rewindSession(invocation: RewindInvocation, world: World): Observable<number> {
  const { client, stdout } = world
  const { session, dryRun, force, json } = invocation
  const head$ = client.request({ type: 'get_entries', session, limit: 1 }).pipe(map(({ headEntryId }) => headEntryId))
  return head$.pipe(
    mergeMap((from) =>
      requestRewind(invocation, world, { dryRun: true }).pipe(
        mergeMap((plan) => {
          const isRefused = !force && (plan.conflicts ?? []).length > 0
          if (json && dryRun) stdout.json(JSON.stringify({ session, ...plan }))
          if (!json && (dryRun || isRefused)) stdout.text(planText(plan))
          if (dryRun) return of(0)
          if (isRefused) throw conflictFailure(plan)
          return requestRewind(invocation, world, force ? { force } : {}).pipe(
            map((done) => {
              if (json) stdout.json(JSON.stringify({ session, ...done, cameFrom: from }))
              else stdout.text(doneText(session, plan, done, from))
              return 0
            }),
          )
        }),
      ),
    ),
  )
}

function requestRewind(
  { session, toEntry }: RewindInvocation,
  { client }: World,
  more: { readonly dryRun?: boolean; readonly force?: boolean },
): Observable<UndoPlan> {
  if (toEntry === undefined) return client.request({ type: 'undo', session, ...more })
  return client.request({ type: 'branch_session', session, entryId: toEntry, restoreFiles: true, ...more })
}

const verbs = { replace: 'restore', create: 'recreate', remove: 'remove' } as const

function planText({ changes = [], conflicts = [], kept: skipped = [] }: UndoPlan): string {
  const lines = [
    ...changes.map(({ path, change }) => `  ${verbs[change]} ${path}`),
    ...conflicts.map(({ path, reason }) => `  ! ${path}: ${reason}`),
    ...skipped.map(({ path, reason }) => `  stays: ${path}: ${reason}`),
  ]
  return lines.length === 0 ? 'This would change no files\n' : `This would change\n${lines.join('\n')}\n`
}

function conflictFailure(plan: UndoPlan): Failure {
  const paths = (plan.conflicts ?? []).map(({ path }) => path)
  return new Failure('not_allowed', refusalText(plan, '--force'), { data: { conflicts: paths } })
}

function doneText(session: string, plan: UndoPlan, done: UndoPlan, from: string | null): string {
  const { headEntryId } = done
  const where = headEntryId === null ? 'begins again' : `continues from entry ${headEntryId}`
  const back = from === null ? '' : `. To get back:\n  rxpi sessions branch ${session} ${from} --restore-files`
  return `${undoneText(plan, done)}\nSession ${session} ${where}${back}\n`
}
