// A session is branched or named where it lies: it need not be open, and no model is asked.
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { BranchInvocation, LabelInvocation, RenameInvocation } from './invocation.ts'
import type { World } from './world.ts'

type ChangeInvocation = BranchInvocation | RenameInvocation | LabelInvocation

/** Emits the exit code. */
export function sessionChange(invocation: ChangeInvocation, { client, stdout }: World): Observable<number> {
  const { session, json } = invocation
  const told = (result: object, text: string): number => {
    if (json) stdout.json(JSON.stringify({ session, ...result }))
    else stdout.text(`${text}\n`)
    return 0
  }
  switch (invocation.action) {
    case 'branch': {
      const { entryId, newFile } = invocation
      return client
        .request({ type: 'branch_session', session, entryId, ...(newFile ? { newFile } : {}) })
        .pipe(map((result) => told(result, branchText(session, entryId, result.session))))
    }
    case 'rename': {
      const { title } = invocation
      const text = title === '' ? `Session ${session} has no title any more` : `Session ${session} is called: ${title}`
      return client.request({ type: 'rename_session', session, title }).pipe(map((result) => told(result, text)))
    }
    case 'label': {
      const { entryId, label } = invocation
      const text = label === null ? `Entry ${entryId} has no label any more` : `Entry ${entryId} is called: ${label}`
      return client.request({ type: 'set_label', session, entryId, label }).pipe(map((result) => told(result, text)))
    }
  }
}

function branchText(session: string, entryId: string, copy: string | undefined): string {
  if (copy === undefined) return `The head of session ${session} is entry ${entryId}: what comes next grows from there`
  return `Session ${copy} was made of what session ${session} has up to entry ${entryId}; to go on with it:\n  rxpi --session ${copy} -p "…"`
}
