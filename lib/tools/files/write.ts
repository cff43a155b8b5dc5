// The write tool: creates or replaces a file.
// Guarantees: the file has its old content or the new one, whole, at every moment; content that the model has not seen
// in its present state is not overwritten after it was read.
import { isUtf8 } from 'node:buffer'
import { stat } from 'node:fs/promises'
import { catchError, of } from 'rxjs'
import { resolvePath } from '../../host/files/resolve-path.ts'
import { errnoOf } from '../../host/files/storage-failure.ts'
import { defineTool } from '../../streams/tool-definition/define-tool.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { textResult } from '../../streams/ports/tool.ts'
import type { StreamTool, ToolResult } from '../../streams/ports/tool.ts'
import { argumentsValidator, WriteParameters } from '../shared/parameters.ts'
import { changedFile, changeLocked, refusePlaceholder, replaceChanged, sizeToReplace } from './changed-file.ts'
import type { ChangedFile } from './text-source.ts'
import { describeChange, hasChanged, rememberWritten, stampOfFile } from './file-change.ts'
import type { PresentFile } from './file-change.ts'
import { noStamp } from './file-views.ts'
import type { FileView, FileViews } from './file-views.ts'
import { readRegular } from './read-regular.ts'
import { createFolders } from './fenced-file.ts'
import { FileProblem, fileProblemResult } from '../shared/file-problem.ts'
import { formatBytes } from '../../streams/values/format-bytes.ts'
import { writeParameters } from '../generated/parameter-validators.js'
import { unifiedDiff } from './unified-diff.ts'

/** The `details` of a `write` result. */
export interface WriteDetails {
  /** Absolute. */
  readonly path: string
  /** Size of the new content. */
  readonly bytes: number
  /** True if the file did not exist. */
  readonly created: boolean
  /** Unified, if the change is small enough to read. */
  readonly diff?: string
}

/** Larger files are not compared. */
const maxComparedBytes = 500_000

/**
 * Creates or replaces a file, with parent folders as needed. Replaces atomically, keeps mode bits, follows a symbolic
 * link to its target. A file that changed since the model read it is refused. One result, no progress. Unsubscribing
 * before the new content is being written leaves the old.
 */
export function createWriteTool(views: FileViews): StreamTool<typeof WriteParameters> {
  return defineTool({
    name: 'write',
    maxResultBytes: 0, // it limits its output itself
    description: 'Create or overwrite a file. Creates parent folders.',
    parameters: WriteParameters,
    validate: argumentsValidator(writeParameters),
    capability: 'write',
    sandboxed: true,
    locks: (args, { cwd }) => ({ write: [changedFile(args.path, cwd).target] }),
    execute: ({ path: written, content }, context) =>
      fromAbortable((signal) =>
        changeLocked(written, context, signal, (file) =>
          writeFile(file, content, { views, session: context.sessionId, signal }),
        ),
      ).pipe(
        catchError((thrown: unknown) => of(fileProblemResult('write', resolvePath(written, context.cwd), thrown))),
      ),
  })
}

interface WriteSurroundings {
  readonly views: FileViews
  readonly session: string
  readonly signal: AbortSignal
}

async function writeFile(
  file: ChangedFile,
  content: string,
  { views, session, signal }: WriteSurroundings,
): Promise<ToolResult> {
  const size = await sizeToReplace(file)
  const stamp = await stampOfFile(file.target)
  const links = size === undefined || file.client !== undefined ? 0 : await otherNames(file.target)
  const bytes = size === undefined ? undefined : await readComparable(file, size, signal)
  if (size !== undefined)
    await refuseChanged(file, { stamp: stamp ?? noStamp, bytes }, views.find(session, file.target))
  const before = bytes === undefined || !isComparable(bytes) ? undefined : bytes.toString('utf8')
  refusePlaceholder(content, before ?? '', file)
  signal.throwIfAborted() // before it creates folders
  if (size === undefined) await createFolders(file.target, file.fence)
  const remark = await replaceChanged(file, content, { stamp, signal })
  const hadView = size === undefined && views.find(session, file.target) !== undefined
  await rememberWritten(views, session, file, content)
  const isShort = content.length <= maxComparedBytes && (size === undefined || before !== undefined)
  const diff = isShort ? await unifiedDiff({ name: file.name, before, after: content }) : undefined
  const length = Buffer.byteLength(content)
  const details: WriteDetails = { path: file.path, bytes: length, created: size === undefined, ...(diff && { diff }) }
  const act = size === undefined ? 'Created' : 'Replaced'
  const note = hadView ? ' Note: it had been removed since you last read it.' : ''
  return textResult(`${act} ${file.path} (${formatBytes(length)}).${partedText(links)}${note}${remark}`, { details })
}

/** @throws FileProblem if the file is not as the model saw it: its content would be lost unseen */
async function refuseChanged(file: ChangedFile, present: PresentFile, view: FileView | undefined): Promise<void> {
  if (view === undefined || !hasChanged(view, present)) return
  const diff = await describeChange(view, present, file.name)
  const change = diff === undefined ? '' : `\n${diff.trimEnd()}`
  throw new FileProblem(
    `${file.path} has changed since you last read it, and was not overwritten. Read it again, then write.${change}`,
  )
}

/** Number of further hard links to the file. */
async function otherNames(file: string): Promise<number> {
  const { nlink } = await stat(file)
  return nlink - 1
}

function partedText(links: number): string {
  if (links === 0) return ''
  const names =
    links === 1
      ? 'Another name (hard link) of the old file keeps'
      : `${links} other names (hard links) of the old file keep`
  return ` ${names} the old content.`
}

/** The old content, if it is small enough to compare or at a client. */
async function readComparable(file: ChangedFile, size: number, signal: AbortSignal): Promise<Buffer | undefined> {
  if (file.client === undefined && size > maxComparedBytes) return undefined
  try {
    return (await readRegular(file, signal)).bytes
  } catch (thrown) {
    if (errnoOf(thrown) === 'EACCES') return undefined // writable but not readable
    throw thrown
  }
}

function isComparable(bytes: Buffer): boolean {
  return bytes.length <= maxComparedBytes && isUtf8(bytes) && !bytes.includes(0)
}
