// The edit tool.
// Guarantees: all edits apply or none; everything else stays byte for byte.
import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { catchError, defer, of } from 'rxjs'
import { replaceFile } from '../../host/files/replace-file.ts'
import { defineTool } from '../../streams/ports/tool.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { textResult } from '../../streams/ports/tool.ts'
import type { Tool, ToolResult } from '../../streams/ports/tool.ts'
import { applyEdits } from './apply-edits.ts'
import { argumentsValidator } from '../shared/parameters.ts'
import { changedFile, sizeToReplace } from './changed-file.ts'
import type { ChangedFile } from './changed-file.ts'
import { FileProblem, fileProblemResult } from './file-problem.ts'
import { formatBytes } from '../shared/output-limits.ts'
import { editParameters } from '../generated/parameter-validators.js'
import { describeMissing } from './nearest-text.ts'
import { EditParameters } from '../shared/parameters.ts'
import { unifiedDiff } from './unified-diff.ts'

/** The `details` of an `edit` result. */
export interface EditDetails {
  readonly path: string
  /** Counted from 1, in the new content. */
  readonly firstChangedLine: number
  /** Unified, with plain line ends; absent if it would be too long. */
  readonly diff?: string
}

const maxBytes = 32 * 2 ** 20
const byteOrderMark = '\u{FEFF}'

/**
 * Exact replacements in a UTF-8 file, all against its original text, each found exactly once. Line ends count as equal
 * and stay as in the file, a byte order mark too. Written like `write`. One result, no progress.
 */
export const edit: Tool<typeof EditParameters> = defineTool({
  name: 'edit',
  description:
    'Replace text in a file. Each oldText must occur exactly once in the original file. Edits must not overlap.',
  parameters: EditParameters,
  validate: argumentsValidator(editParameters),
  capability: 'write',
  prepareArguments: joinOlderForm,
  locks: (args, { cwd }) => ({ write: [changedFile(args.path, cwd).target] }),
  execute: (args, { cwd }) =>
    defer(() => {
      const file = changedFile(args.path, cwd)
      return fromAbortable((signal) => editFile(file, args.edits, signal)).pipe(
        catchError((thrown: unknown) => of(fileProblemResult('edit', file.path, thrown))),
      )
    }),
})

async function editFile(file: ChangedFile, edits: EditParameters['edits'], signal: AbortSignal): Promise<ToolResult> {
  const original = await readOriginal(file, signal)
  const mark = original.startsWith(byteOrderMark) ? byteOrderMark : ''
  const applied = applyEdits(original.slice(mark.length), edits, file.path)
  await replaceFile(file.target, mark + applied.content, signal)
  const diff = await unifiedDiff({ name: file.name, ...applied })
  const { firstChangedLine } = applied
  const details: EditDetails = { path: file.path, firstChangedLine, ...(diff !== undefined && { diff }) }
  const count = edits.length === 1 ? '1 edit' : `${edits.length} edits`
  return textResult(`Made ${count} in ${file.path}, first change in line ${firstChangedLine}.`, { details })
}

async function readOriginal(file: ChangedFile, signal: AbortSignal): Promise<string> {
  const size = await sizeToReplace(file)
  if (size === undefined) throw new FileProblem(`Could not edit it: ${describeMissing(file.path)}.`)
  if (size > maxBytes) {
    throw new FileProblem(`${file.path} is too big to edit (${formatBytes(size)}); use bash with sed or a script.`)
  }
  const bytes = await readFile(file.target, { signal })
  // writing it back as UTF-8 would lose other bytes
  if (!isUtf8(bytes)) throw new FileProblem(`${file.path} is not UTF-8 text; change it with bash.`)
  return bytes.toString('utf8')
}

/** Older models send one edit at the top level. */
function joinOlderForm(args: Record<string, unknown>): Record<string, unknown> {
  const { oldText, newText, edits, ...rest } = args
  if (typeof oldText !== 'string' || typeof newText !== 'string') return args
  const others: readonly unknown[] = Array.isArray(edits) ? edits : []
  return { ...rest, edits: [...others, { oldText, newText }] }
}
