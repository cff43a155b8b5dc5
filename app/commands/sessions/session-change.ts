// Runs `rxpi sessions branch`, `rename`, `label`, `switch` and `rm`.
import { map, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type {
  BranchInvocation,
  LabelInvocation,
  RenameInvocation,
  SessionsInvocation,
  SwitchOrRemoveInvocation,
} from '../../cli/invocation.ts'
import type { Output } from '../../process/output.ts'
import type { World } from '../../process/world.ts'
import { requireWritable } from './open-session-choice.ts'

type ChangeInvocation = BranchInvocation | RenameInvocation | LabelInvocation

/** Emits the exit code. */
export function changeSession(invocation: ChangeInvocation, { client, stdout, env }: World): Observable<number> {
  const { session } = invocation
  const print = (result: object, text: string): number => printChange(invocation, result, text, stdout)
  switch (invocation.action) {
    case 'branch': {
      return branchSession(invocation, { client, env }).pipe(
        map((result) => print(result, branchText(invocation, result))),
      )
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
function branchSession(
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
    return `A copy of the conversation up to entry ${entryId}, in a session of its own: ${copy}. To continue it:\n  rxpi --session ${copy} -p "…"`
  // without a branch that is left, the head is the entry itself
  const isSummarised = summarise && headEntryId !== entryId
  const summary = isSummarised ? ', with a summary of the branch that was left' : ''
  return `The next prompt continues session ${session} from entry ${entryId}${summary}`
}

/** Switches to a session or removes it, without a question, and prints the result. Emits the exit code. */
export function switchOrRemove(invocation: SwitchOrRemoveInvocation, { client, stdout }: World): Observable<number> {
  const { action, session } = invocation
  const print = (result: object, text: string): number => printChange(invocation, result, text, stdout)
  if (action === 'switch') {
    return client.request({ type: 'switch_session', session }).pipe(
      map((result) => {
        const { cwd } = result
        return print(result, `rxpi -c continues session ${session}${cwd === undefined ? '' : ` in ${cwd}`}`)
      }),
    )
  }
  return client
    .request({ type: 'delete_session', session })
    .pipe(
      map((result) =>
        print(result, `Removed session ${session}:${result.removed.map((each) => `\n  ${each}`).join('')}`),
      ),
    )
}

/** Prints the result as JSON or as text, and returns exit code 0. */
function printChange(
  { session, json }: Pick<SessionsInvocation, 'json'> & { readonly session: string },
  result: object,
  text: string,
  stdout: Output,
): number {
  if (json) stdout.json(JSON.stringify({ session, ...result }))
  else stdout.text(`${text}\n`)
  return 0
}
