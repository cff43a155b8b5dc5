// The hashline_edit tool: edits lines by the anchors that `read` shows with `hashes`.
// Guarantees: all edits apply or none; a line is changed only if it is certain that the anchor means it.
import { catchError, of } from 'rxjs'
import { resolvePath } from '../../host/files/resolve-path.ts'
import { defineTool } from '../../streams/tool-definition/define-tool.ts'
import { errorResult, textResult } from '../../streams/ports/tool.ts'
import type { StreamTool, ToolResult } from '../../streams/ports/tool.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { hashlineEditParameters } from '../generated/parameter-validators.js'
import { argumentsValidator, HashlineEditParameters } from '../shared/parameters.ts'
import { changedFile, changeLocked, refusePlaceholder, replaceChanged } from './changed-file.ts'
import type { ChangedFile } from './text-source.ts'
import { describeStaleView, readOriginal } from './edit.ts'
import type { EditDetails, OriginalText } from './edit.ts'
import { rememberWritten } from './file-change.ts'
import { FileProblem, fileProblemResult } from '../shared/file-problem.ts'
import { digestOf } from '../shared/digest.ts'
import type { FileMemory } from './file-views.ts'
import { unifiedDiff } from './unified-diff.ts'
import { applyLineEdits } from './hashline/apply-line-edits.ts'
import { parseAnchor } from './hashline/anchor.ts'
import { describeProblems, showChanges } from './hashline/show-lines.ts'
import { lineIndex } from './hashline/text-lines.ts'
import { resolveEdits } from './hashline/resolve-edits.ts'
import { countOf } from '../../streams/values/count-of.ts'

/** The `details` of a `hashline_edit` result. */
export interface HashlineEditDetails extends EditDetails {
  /** True if the file had changed since its lines were shown, and every anchor was found again. */
  readonly recovered?: boolean
}

/**
 * Edits of whole lines in a UTF-8 file, all against the file as it is. Line ends, a byte order mark and a missing final
 * line end stay. Written like `write`. One result with fresh anchors, no progress.
 */
export function createHashlineEditTool(memory: FileMemory): StreamTool<typeof HashlineEditParameters> {
  return defineTool({
    name: 'hashline_edit',
    maxResultBytes: 0, // it limits its output itself
    description:
      'Edit lines by the anchors that read shows with hashes. pos..end is a range. All edits refer to the file as shown. No lines = delete.',
    parameters: HashlineEditParameters,
    validate: argumentsValidator(hashlineEditParameters),
    capability: 'write',
    sandboxed: true,
    prepareArguments: emptyForNull,
    locks: (args, { cwd }) => ({ write: [changedFile(args.path, cwd).target] }),
    execute: ({ path, edits }, context) =>
      fromAbortable((signal) =>
        changeLocked(path, context, signal, (file) =>
          editLines(file, edits, { memory, session: context.sessionId, signal }),
        ),
      ).pipe(catchError((thrown: unknown) => of(fileProblemResult('edit', resolvePath(path, context.cwd), thrown)))),
  })
}

interface EditSurroundings {
  readonly memory: FileMemory
  readonly session: string
  readonly signal: AbortSignal
}

async function editLines(
  file: ChangedFile,
  edits: HashlineEditParameters['edits'],
  { memory: { views, versions }, session, signal }: EditSurroundings,
): Promise<ToolResult> {
  const original = await readOriginal(file, 'edit', signal)
  for (const { lines } of edits) refuseUnwritable(lines, original, file)
  const present = lineIndex(original.text)
  const { placed, problems, recovered } = await resolveEdits(edits, {
    present,
    digest: digestOf(original.bytes),
    target: file.target,
    findVersion: (id) => versions.find(session, id),
  })
  if (problems.length > 0) {
    const version = versions.add(session, file.target, original.bytes)
    return errorResult(describeProblems(file.path, problems, { count: edits.length, lines: present, version }))
  }
  const applied = applyLineEdits(present, placed)
  if (applied.content === original.text)
    throw new FileProblem(`${file.path} has these lines already: nothing would change.`)
  const content = original.mark + applied.content
  const remark = await replaceChanged(file, content, { stamp: original.stamp, signal })
  const stale = await describeStaleView(file, original, { views, session })
  if (stale.isKnown) await rememberWritten(views, session, file, content)
  const version = versions.add(session, file.target, Buffer.from(content))
  const diff = await unifiedDiff({ name: file.name, ...applied })
  const firstChangedLine = (applied.changes[0]?.start ?? 0) + 1
  const found = recovered ? { recovered } : {}
  const details: HashlineEditDetails = {
    path: file.path,
    firstChangedLine,
    ...(diff !== undefined && { diff }),
    ...found,
  }
  const again = recovered ? ' The file had changed since it was shown; the lines were found again.' : ''
  const shown = showChanges(lineIndex(applied.content), version, applied.changes)
  return textResult(
    `Made ${countOf(edits.length, 'edit')} in ${file.path}, first change in line ${firstChangedLine}.${again}${stale.note}${remark}\nThe lines now:\n${shown}`,
    { details },
  )
}

/** @throws FileProblem for lines that a model did not mean as content */
function refuseUnwritable(lines: readonly string[], { text }: OriginalText, file: ChangedFile): void {
  for (const line of lines) {
    refusePlaceholder(line, text, file)
    if (parseAnchor(line)?.text === undefined || text.includes(line)) continue
    const shown = line.length > 80 ? `${line.slice(0, 80)}…` : line
    throw new FileProblem(`lines must be the text alone; nothing was changed. This has an anchor: ${shown}`)
  }
}

/** Some models send `null` to delete lines. */
function emptyForNull(args: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(args['edits'])) return args
  const edits: readonly unknown[] = args['edits']
  return { ...args, edits: edits.map((edit) => (isWithoutLines(edit) ? { ...edit, lines: [] } : edit)) }
}

function isWithoutLines(edit: unknown): edit is object {
  return typeof edit === 'object' && edit !== null && 'lines' in edit && edit.lines === null
}
