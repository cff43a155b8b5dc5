// Runs `rxpi sessions undo` and `branch --restore-files`: prints the changes before it makes them.
import { map, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { RewindInvocation } from '../../cli/invocation.ts'
import type { World } from '../../process/world.ts'

type Plan = Pick<ResultOf<'undo'>, 'headEntryId' | 'changes' | 'conflicts' | 'kept' | 'paths'>

/** Emits the exit code. Fails with `not_allowed` if it would overwrite other edits and `force` is off. */
export function rewindSession(invocation: RewindInvocation, world: World): Observable<number> {
  const { client, stdout } = world
  const { session, dryRun, force, json } = invocation
  const head$ = client.request({ type: 'get_entries', session, limit: 1 }).pipe(map(({ headEntryId }) => headEntryId))
  return head$.pipe(
    mergeMap((from) =>
      requestRewind(invocation, world, { dryRun: true }).pipe(
        mergeMap((plan) => {
          if (json && dryRun) stdout.json(JSON.stringify({ session, ...plan }))
          if (!json) stdout.text(planText(plan, dryRun))
          if (dryRun) return of(0)
          if ((plan.conflicts ?? []).length > 0 && !force) throw conflictFailure(plan, json)
          return requestRewind(invocation, world, force ? { force } : {}).pipe(
            map((done) => {
              if (json) stdout.json(JSON.stringify({ session, ...done, cameFrom: from }))
              else stdout.text(doneText(session, done, from))
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
): Observable<Plan> {
  if (toEntry === undefined) return client.request({ type: 'undo', session, ...more })
  return client.request({ type: 'branch_session', session, entryId: toEntry, restoreFiles: true, ...more })
}

const verbs = { replace: 'restore', create: 'recreate', remove: 'remove' } as const

function planText({ changes = [], conflicts = [], kept = [] }: Plan, dryRun: boolean): string {
  const lines = [
    ...changes.map(({ path, change }) => `  ${verbs[change]} ${path}`),
    ...conflicts.map(({ path, reason }) => `  ! ${path}: ${reason}`),
    ...kept.map(({ path, reason }) => `  stays: ${path}: ${reason}`),
  ]
  const title = dryRun ? 'This would change' : 'This changes'
  return lines.length === 0 ? `${title} no files\n` : `${title}\n${lines.join('\n')}\n`
}

/** @param isSilent true if the plan was not printed */
function conflictFailure({ conflicts = [] }: Plan, isSilent: boolean): Failure {
  const paths = conflicts.map(({ path }) => path)
  const count = conflicts.length === 1 ? 'one file has' : `${conflicts.length} files have`
  const which = isSilent
    ? `: ${paths.slice(0, maxNamedFiles).join(', ')}${paths.length > maxNamedFiles ? ' …' : ''}`
    : ', marked ! above'
  const message = `Nothing was changed: ${count} edits that are not the agent's${which}; --force restores them anyway`
  return new Failure('not_allowed', message, { data: { conflicts: paths } })
}

/** Maximum of files that a message names. */
const maxNamedFiles = 5

function doneText(session: string, { headEntryId, paths = [] }: Plan, from: string | null): string {
  const count = paths.length === 1 ? 'One file was' : `${paths.length === 0 ? 'No' : paths.length} files were`
  const where = headEntryId === null ? 'begins again' : `continues from entry ${headEntryId}`
  const back = from === null ? '' : `; to get back:\n  rxpi sessions branch ${session} ${from} --restore-files`
  return `${count} restored; session ${session} ${where}${back}\n`
}
