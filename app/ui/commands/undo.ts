// Slash command /undo: shows what the undo would change, undoes, and says what was changed.
import { EMPTY, catchError, finalize, mergeMap, tap } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { Ui } from '../contract/ui.ts'
import { failureNotice } from '../view/failure-notice.ts'
import { notify, withSession } from './ask-server.ts'

type Plan = Pick<ResultOf<'undo'>, 'changes' | 'conflicts' | 'kept' | 'paths'>

/** @param argument `force` overwrites changes that the agent did not make */
export function undo(ui: Ui, argument: string): void {
  if (argument !== '' && argument !== 'force') {
    notify(ui, '/undo takes no argument, or force, which overwrites later changes by others', 'warning')
    return
  }
  withSession(ui, (session) => {
    const isForced = argument === 'force'
    const plan$ = ui.request({ type: 'undo', session, dryRun: true })
    const undone$ = plan$.pipe(
      mergeMap((plan) => {
        if (!isForced && (plan.conflicts ?? []).length > 0) {
          notify(ui, refusalText(plan), 'warning')
          return EMPTY
        }
        ui.input({ type: 'undoing', isUndoing: true })
        return ui.request({ type: 'undo', session, ...(isForced ? { force: true } : {}) }).pipe(
          tap((done) => {
            notify(ui, undoneText(plan, done), 'success')
          }),
        )
      }),
      catchError((error: unknown) => {
        const isConflict = Failure.from(error).code === 'not_allowed' // a file changed after the plan was made
        ui.input(failureNotice(error, isConflict ? '/undo force throws these edits away' : undefined))
        return EMPTY
      }),
      finalize(() => {
        ui.input({ type: 'undoing', isUndoing: false })
      }),
    )
    undone$.subscribe()
  })
}

/** As the server words it. */
const ownEdit = 'it was changed, but not by the agent'
const verbs = { remove: 'removed', replace: 'restored', create: 'brought back' } as const
/** Files of a list in a notice. */
const maxNamed = 5

/** `Undone: removed new.txt, restored greet.js`, with the files that stay. */
export function undoneText({ changes = [] }: Plan, { paths = [], kept = [] }: Plan): string {
  const done = changes.filter(({ path }) => paths.includes(path))
  const parts = (['remove', 'replace', 'create'] as const).flatMap((kind) => {
    const files = done.filter(({ change }) => change === kind).map(({ path }) => path)
    return files.length === 0 ? [] : [`${verbs[kind]} ${listFiles(files)}`]
  })
  const left = kept.map(({ path, reason }) => `\n${path} stays: ${reason}`).join('')
  return `Undone: ${parts.length === 0 ? 'no file had changed' : parts.join(', ')}${left}`
}

/** `Not undone: you edited greet.js since. /undo force throws your edit away.` */
export function refusalText({ conflicts = [] }: Plan): string {
  const isEdited = conflicts.every(({ reason }) => reason === ownEdit)
  const files = conflicts.map(({ path }) => path)
  const edits = conflicts.length === 1 ? 'your edit' : 'your edits'
  if (isEdited) return `Not undone: you edited ${listFiles(files)} since. /undo force throws ${edits} away.`
  const named = conflicts.slice(0, maxNamed).map(({ path, reason }) => `${path} (${reason})`)
  return `Not undone: ${listFiles(named, conflicts.length)}. /undo force overwrites ${files.length === 1 ? 'it' : 'them'}.`
}

function listFiles(files: readonly string[], all = files.length): string {
  const named = files.slice(0, maxNamed).join(', ')
  return all > maxNamed ? `${named} and ${all - maxNamed} more` : named
}
