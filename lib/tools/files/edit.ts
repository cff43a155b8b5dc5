// The edit tool: replaces texts in a file.
// Guarantees: all edits apply or none; everything else stays byte for byte; no other tool call writes the file
// meanwhile.
import { isUtf8 } from 'node:buffer'
import { catchError, of } from 'rxjs'
import { defineTool } from '../../streams/tool-definition/define-tool.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { textResult } from '../../streams/ports/tool.ts'
import type { StreamTool, ToolResult } from '../../streams/ports/tool.ts'
import { resolvePath } from '../../host/files/resolve-path.ts'
import { applyEdits } from './apply-edits.ts'
import { argumentsValidator, EditParameters } from '../shared/parameters.ts'
import { changedFile, changeLocked, refusePlaceholder, replaceChanged, sizeToReplace } from './changed-file.ts'
import type { ChangedFile } from './text-source.ts'
import { describeChange, hasChanged, rememberWritten } from './file-change.ts'
import type { PresentFile } from './file-change.ts'
import { FileProblem, fileProblemResult } from '../shared/file-problem.ts'
import type { FileViews } from './file-views.ts'
import { readRegular } from './read-regular.ts'
import { formatBytes } from '../../streams/values/format-bytes.ts'
import { editParameters } from '../generated/parameter-validators.js'
import { describeMissing } from '../shared/nearest-text.ts'
import { unifiedDiff } from './unified-diff.ts'
import { countOf } from '../../streams/values/count-of.ts'

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
 * Replacements in a UTF-8 file, all against its original text, each found exactly once. Line ends count as equal
 * and stay as in the file, a byte order mark too. Written like `write`. One result, no progress.
 */
export function createEditTool(views: FileViews): StreamTool<typeof EditParameters> {
  return defineTool({
    name: 'edit',
    maxResultBytes: 0, // it limits its output itself
    description:
      'Replace text in a file. Each oldText must occur exactly once in the original file. Edits must not overlap.',
    parameters: EditParameters,
    validate: argumentsValidator(editParameters),
    capability: 'write',
    sandboxed: true,
    prepareArguments: joinOlderForm,
    locks: (args, { cwd }) => ({ write: [changedFile(args.path, cwd).target] }),
    execute: ({ path, edits }, context) =>
      fromAbortable((signal) =>
        changeLocked(path, context, signal, (file) =>
          editFile(file, edits, { views, session: context.sessionId, signal }),
        ),
      ).pipe(catchError((thrown: unknown) => of(fileProblemResult('edit', resolvePath(path, context.cwd), thrown)))),
  })
}

interface EditSurroundings {
  readonly views: FileViews
  readonly session: string
  readonly signal: AbortSignal
}

async function editFile(
  file: ChangedFile,
  edits: EditParameters['edits'],
  { views, session, signal }: EditSurroundings,
): Promise<ToolResult> {
  const original = await readOriginal(file, 'edit', signal)
  const { mark, text, stamp } = original
  for (const { oldText, newText } of edits) {
    refusePlaceholder(oldText, text, file)
    refusePlaceholder(newText, text, file)
  }
  const applied = applyEdits(text, edits, file.path)
  const content = mark + applied.content
  const remark = await replaceChanged(file, content, { stamp, signal })
  const { note, isKnown } = await describeStaleView(file, original, { views, session })
  if (isKnown) await rememberWritten(views, session, file, content)
  const diff = await unifiedDiff({ name: file.name, ...applied })
  const { firstChangedLine, leniency } = applied
  const details: EditDetails = { path: file.path, firstChangedLine, ...(diff !== undefined && { diff }) }
  const lenient = leniency === undefined ? '' : ` ${leniency}`
  return textResult(
    `Made ${countOf(edits.length, 'edit')} in ${file.path}, first change in line ${firstChangedLine}.${lenient}${note}${remark}`,
    {
      details,
    },
  )
}

export interface StaleView {
  /** '' if the model's view was up to date. */
  readonly note: string
  /** False if something changed that the note does not show: the view stays stale, and `write` stays refused. */
  readonly isKnown: boolean
}

/** Describes what changed in the file since the model saw it. */
export async function describeStaleView(
  file: ChangedFile,
  present: PresentFile,
  { views, session }: Pick<EditSurroundings, 'views' | 'session'>,
): Promise<StaleView> {
  const view = views.find(session, file.target)
  if (view === undefined || !hasChanged(view, present)) return { note: '', isKnown: true }
  const diff = await describeChange(view, present, file.name)
  const note = '\nNote: the file had changed since you last read it'
  if (diff !== undefined) return { note: `${note}:\n${diff.trimEnd()}`, isKnown: true }
  return { note: `${note}; read it again before you rely on its other parts.`, isKnown: false }
}

/** A text file that is to be changed. */
export interface OriginalText extends PresentFile {
  readonly bytes: Buffer
  /** The byte order mark, or ''. */
  readonly mark: string
  /** Without the byte order mark. */
  readonly text: string
}

/** @throws FileProblem if it is missing, longer than 32 MiB or not UTF-8 */
export async function readOriginal(file: ChangedFile, act: string, signal: AbortSignal): Promise<OriginalText> {
  const size = await sizeToReplace(file)
  if (size === undefined) throw new FileProblem(`Could not ${act} it: ${describeMissing(file.path)}.`)
  if (size > maxBytes) {
    throw new FileProblem(`${file.path} is too big to edit (${formatBytes(size)}); use bash with sed or a script.`)
  }
  const { stamp, bytes } = await readRegular(file, signal)
  // writing it back as UTF-8 would lose other bytes
  if (!isUtf8(bytes)) throw new FileProblem(`${file.path} is not UTF-8 text; change it with bash.`)
  const whole = bytes.toString('utf8')
  const mark = whole.startsWith(byteOrderMark) ? byteOrderMark : ''
  return { stamp, bytes, mark, text: whole.slice(mark.length) }
}

/** Older models send one edit at the top level. */
function joinOlderForm(args: Record<string, unknown>): Record<string, unknown> {
  const { oldText, newText, edits, ...rest } = args
  if (typeof oldText !== 'string' || typeof newText !== 'string') return args
  const others: readonly unknown[] = Array.isArray(edits) ? edits : []
  return { ...rest, edits: [...others, { oldText, newText }] }
}
