// Computes the diff that a call of write or edit would make, for the approval question.
// Guarantees: writes nothing; no diff if the call would fail or the file is too big to compare.
import { catchError, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { applyEdits } from './apply-edits.ts'
import type { ToolContext } from '../../streams/ports/tool.ts'
import { changedFile, sizeToReplace } from './changed-file.ts'
import { fileWithText } from './client-text.ts'
import { readOriginal } from './edit.ts'
import type { EditParameters, WriteParameters } from '../shared/parameters.ts'
import { unifiedDiff } from './unified-diff.ts'

type Surroundings = Pick<ToolContext, 'cwd' | 'clientFiles'>

const maxBytes = 500_000

export function previewEdit({ path, edits }: EditParameters, context: Surroundings): Observable<string | undefined> {
  return orNone(async (signal) => {
    const file = await fileWithText(changedFile(path, context.cwd), context, signal)
    const { text } = await readOriginal(file, 'edit', signal)
    return unifiedDiff({ name: file.name, ...applyEdits(text, edits, file.path) })
  })
}

export function previewWrite(
  { path, content }: WriteParameters,
  context: Surroundings,
): Observable<string | undefined> {
  return orNone(async (signal) => {
    const file = await fileWithText(changedFile(path, context.cwd), context, signal)
    const size = await sizeToReplace(file)
    if (size !== undefined && size > maxBytes) return undefined
    const before = size === undefined ? undefined : (await readOriginal(file, 'write', signal)).text
    return unifiedDiff({ name: file.name, before, after: content })
  })
}

function orNone(compute: (signal: AbortSignal) => Promise<string | undefined>): Observable<string | undefined> {
  return fromAbortable(compute).pipe(catchError(() => of(undefined)))
}
