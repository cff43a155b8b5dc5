// The write tool.
// Guarantees: the file has its old content or the new one, whole, at every moment.
import { isUtf8 } from 'node:buffer'
import { mkdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { catchError, defer, of } from 'rxjs'
import { replaceFile } from '../../host/files/replace-file.ts'
import { errnoOf } from '../../host/files/storage-failure.ts'
import { defineTool } from '../../streams/ports/tool.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { textResult } from '../../streams/ports/tool.ts'
import type { Tool, ToolResult } from '../../streams/ports/tool.ts'
import { argumentsValidator } from '../shared/parameters.ts'
import { changedFile, sizeToReplace } from './changed-file.ts'
import type { ChangedFile } from './changed-file.ts'
import { fileProblemResult } from './file-problem.ts'
import { formatBytes } from '../shared/output-limits.ts'
import { writeParameters } from '../generated/parameter-validators.js'
import { WriteParameters } from '../shared/parameters.ts'
import { unifiedDiff } from './unified-diff.ts'

/** The `details` of a `write` result. */
export interface WriteDetails {
  readonly path: string
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
 * link to its target. One result, no progress. Unsubscribing before the new content is being written leaves the old.
 */
export const write: Tool<typeof WriteParameters> = defineTool({
  name: 'write',
  description: 'Create or overwrite a file. Creates parent folders.',
  parameters: WriteParameters,
  validate: argumentsValidator(writeParameters),
  capability: 'write',
  locks: (args, { cwd }) => ({ write: [changedFile(args.path, cwd).target] }),
  execute: (args, { cwd }) =>
    defer(() => {
      const file = changedFile(args.path, cwd)
      return fromAbortable((signal) => writeFile(file, args.content, signal)).pipe(
        catchError((thrown: unknown) => of(fileProblemResult('write', file.path, thrown))),
      )
    }),
})

async function writeFile(file: ChangedFile, content: string, signal: AbortSignal): Promise<ToolResult> {
  const size = await sizeToReplace(file)
  const links = size === undefined ? 0 : await otherNames(file.target)
  const before = size === undefined ? undefined : await readComparable(file, size, signal)
  if (size === undefined) await mkdir(path.dirname(file.target), { recursive: true })
  await replaceFile(file.target, content, signal)
  const bytes = Buffer.byteLength(content)
  const isComparable = content.length <= maxComparedBytes && (size === undefined || before !== undefined)
  const diff = isComparable ? await unifiedDiff({ name: file.name, before, after: content }) : undefined
  const details: WriteDetails = { path: file.path, bytes, created: size === undefined, ...(diff && { diff }) }
  const act = size === undefined ? 'Created' : 'Replaced'
  return textResult(`${act} ${file.path} (${formatBytes(bytes)}).${partedText(links)}`, { details })
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

/** The old content, if it is text and small enough to compare. */
async function readComparable(file: ChangedFile, size: number, signal: AbortSignal): Promise<string | undefined> {
  if (size > maxComparedBytes) return undefined
  const bytes = await readFile(file.target, { signal }).catch((thrown: unknown) => {
    if (errnoOf(thrown) === 'EACCES') return undefined // writable but not readable
    throw thrown
  })
  if (bytes === undefined) return undefined
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8') : undefined
}
