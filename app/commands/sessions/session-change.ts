// Runs `rxpi sessions branch`, `rename`, `label`, `switch` and `rm`.
import { map, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { BranchInvocation, LabelInvocation, RenameInvocation, ShelfInvocation } from '../../cli/invocation.ts'
import type { World } from '../../process/world.ts'
import { requireWritable } from './open-session-choice.ts'

type ChangeInvocation = BranchInvocation | RenameInvocation | LabelInvocation

/** Emits the exit code. */
export function changeSession(invocation: ChangeInvocation, { client, stdout, env }: World): Observable<number> {
  const { session, json } = invocation
  const print = (result: object, text: string): number => {
    if (json) stdout.json(JSON.stringify({ session, ...result }))
    else stdout.text(`${text}\n`)
    return 0
  }
  switch (invocation.action) {
    case 'branch': {
      return branched(invocation, { client, env }).pipe(map((result) => print(result, branchText(invocation, result))))
    }
    case 'rename': {
      const { title } = invocation
      const text = title === '' ? `Session ${session} has no title any more` : `Session ${session} is called: ${title}`
      return client.request({ type: 'rename_session', session, title }).pipe(map((result) => print(result, text)))
    }
    case 'label': {
      const { entryId, label } = invocation
      const text = label === null ? `Entry ${entryId} has no label any more` : `Entry ${entryId} is called: ${label}`
      return client.request({ type: 'set_label', session, entryId, label }).pipe(map((result) => print(result, text)))
    }
  }
}

/** Opens the session for a summary, because the model writes it. */
function branched(
  { session, entryId, newFile, summarise }: BranchInvocation,
  { client, env }: Pick<World, 'client' | 'env'>,
): Observable<ResultOf<'branch_session'>> {
  const command = { type: 'branch_session', session, entryId } as const
  if (!summarise) return client.request({ ...command, ...(newFile ? { newFile } : {}) })
  return client.request({ type: 'open_session', session, cwd: '/', env: { ...env } }).pipe(
    map(requireWritable),
    mergeMap(() => client.request({ ...command, summarise })),
  )
}

function branchText(
  { session, entryId, summarise }: BranchInvocation,
  { session: copy, headEntryId }: ResultOf<'branch_session'>,
): string {
  if (copy !== undefined)
    return `Session ${copy} is a copy of session ${session} up to entry ${entryId}. To continue it:\n  rxpi --session ${copy} -p "…"`
  // without a branch that is left, the head is the entry itself
  const isSummarised = summarise && headEntryId !== entryId
  const summary = isSummarised ? ', with a summary of the branch that was left' : ''
  return `The head of session ${session} is entry ${entryId}${summary}: the next prompt continues there`
}

// Switches to a session or removes it, without a question, and prints the result.

/** Emits the exit code. */
export function switchOrRemove(
  { action, session, json }: ShelfInvocation,
  { client, stdout }: World,
): Observable<number> {
  const print = (result: object, text: string): number => {
    if (json) stdout.json(JSON.stringify({ session, ...result }))
    else stdout.text(text)
    return 0
  }
  if (action === 'switch') {
    return client.request({ type: 'switch_session', session }).pipe(
      map((result) => {
        const { cwd } = result
        return print(result, `rxpi -c continues session ${session}${cwd === undefined ? '' : ` in ${cwd}`}\n`)
      }),
    )
  }
  return client
    .request({ type: 'delete_session', session })
    .pipe(
      map((result) =>
        print(result, `Removed session ${session}:\n${result.removed.map((each) => `  ${each}\n`).join('')}`),
      ),
    )
}
