// The read tool: shows a text file, an image or a notebook, or lists a folder.
// Guarantees: it leaves no trace, never blocks on special files, and reads no more of a file than it shows.
import { isUtf8 } from 'node:buffer'
import { closeSync, fstatSync } from 'node:fs'
import { catchError, of } from 'rxjs'
import { errnoOf } from '../../host/files/storage-failure.ts'
import { realTarget, resolvePath } from '../../host/files/resolve-path.ts'
import { defineTool } from '../../streams/tool-definition/define-tool.ts'
import { textResult } from '../../streams/ports/tool.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { longestClientText } from '../../streams/environment/file-exchange.ts'
import { detectImageType } from '../../streams/values/image-type.ts'
import type { PathFence } from '../../streams/ports/sandbox.ts'
import type { StreamTool, ToolResult } from '../../streams/ports/tool.ts'
import { argumentsValidator, ReadParameters } from '../shared/parameters.ts'
import { FileProblem, fileProblemResult } from '../shared/file-problem.ts'
import { readParameters } from '../generated/parameter-validators.js'
import type { ExchangeContext } from './client-exchange.ts'
import { readClientText } from './client-text.ts'
import type { ClientReading } from './client-text.ts'
import { noStamp, stampOf, wholeView } from './file-views.ts'
import type { FileMemory, FileStamp, FileView } from './file-views.ts'
import { maxHashedBytes, readWithHashes } from './hashline/read-hashes.ts'
import type { ShownVersion } from './hashline/shown-versions.ts'
import { fenceOf, openToRead } from './fenced-file.ts'
import { readImage } from './read-image.ts'
import { shellQuote } from '../../host/process/shell-quote.ts'
import { readNotebook } from './read-notebook.ts'
import { bytesOfUnits, readChunk, readWindow, wholeContent, wholeFile } from './read-window.ts'
import { listFolder } from '../search/list-folder.ts'
import type { ImageType } from '../../streams/values/image-type.ts'
import { formatBytes } from '../../streams/values/format-bytes.ts'
import { outputLimits } from '../shared/output-limits.ts'
import { truncateHead } from '../../streams/values/truncate.ts'
import type { Truncated } from '../../streams/values/truncate.ts'
import type { FileWindow, OpenFile, ReadContent } from './read-window.ts'
import { countOf } from '../../streams/values/count-of.ts'

/**
 * Reads a text file (2,000 lines or 50 KB from line `offset`, with a notice of how to continue) or an image. One
 * result, no progress; a failure is an error result. Unsubscribing closes the file.
 */
export function createReadTool({ views, versions }: FileMemory): StreamTool<typeof ReadParameters> {
  return defineTool({
    name: 'read',
    maxResultBytes: 0, // it limits its output itself
    description:
      'Read a text file, image or notebook, or list a folder. Returns at most 2000 lines or 50KB; use offset to continue.',
    parameters: ReadParameters,
    validate: argumentsValidator(readParameters),
    sideEffectFree: true,
    sandboxed: true,
    capability: 'read',
    locks: ({ path }, { cwd }) => ({ read: [realTarget(resolvePath(path, cwd))] }),
    execute: ({ path, ...range }, context) => {
      const { cwd, sessionId } = context
      const file = resolvePath(path, cwd)
      const memory: ReadMemory = {
        onRead: (view) => views.remember(sessionId, realTarget(file), view),
        version: (bytes) => versions.add(sessionId, realTarget(file), bytes),
      }
      return fromAbortable((signal) =>
        readPath(file, range, { memory, context, fence: fenceOf(context) }, signal),
      ).pipe(catchError((thrown: unknown) => of(fileProblemResult('read', file, thrown))))
    },
  })
}

/** Stores what was shown to the model. */
interface ReadMemory {
  onRead(view: FileView): void
  version(bytes: Buffer): ShownVersion
}

interface ReadSurroundings {
  readonly memory: ReadMemory
  readonly context: ExchangeContext
  readonly fence: PathFence | undefined
}

/** Only opening and reading may wait for a disk or a client, so only they run asynchronously. */
async function readPath(
  path: string,
  range: TextRange,
  surroundings: ReadSurroundings,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { memory, fence } = surroundings
  const descriptor = await openToRead(path, fence).catch(async (thrown: unknown) => {
    const unsaved = errnoOf(thrown) === 'ENOENT' ? await askClient({ path }, surroundings, signal) : undefined
    if (unsaved?.bytes === undefined) throw thrown
    return unsaved
  })
  if (typeof descriptor === 'object') return showFile({ path, ...descriptor, stamp: noStamp }, range, memory, signal)
  try {
    const status = fstatSync(descriptor, { bigint: true })
    if (status.isDirectory()) return await listFolder(path, range, signal)
    if (!status.isFile())
      throw new FileProblem(`${path} is a pipe, socket or device, not a regular file; it cannot be read.`)
    const first = await readChunk(descriptor, 0)
    const stamp = stampOf(status)
    const disk = { path, descriptor, size: Number(status.size), first }
    const atClient = canShow(disk) ? await askClient(disk, surroundings, signal) : undefined
    return await showFile({ ...disk, ...atClient, stamp }, range, memory, signal)
  } finally {
    closeSync(descriptor)
  }
}

interface ShownFile extends Partial<Omit<OpenFile, 'path'>>, Partial<ClientReading> {
  readonly path: string
  readonly stamp: FileStamp
}

/** Shows the client's text, or the open file. */
async function showFile(
  { path, stamp, bytes, note = '', descriptor = -1, size = 0, first = Buffer.alloc(0) }: ShownFile,
  range: TextRange,
  { onRead, version }: ReadMemory,
  signal: AbortSignal,
): Promise<ToolResult> {
  const file: OpenFile =
    bytes === undefined
      ? { path, descriptor, size, first }
      : { path, descriptor, size: bytes.length, first: bytes, isInMemory: true }
  const image = bytes === undefined ? detectImageType(first) : undefined
  const { result, whole = bytes } = await readContent(file, image, range, version, signal)
  onRead(whole === undefined ? { stamp } : wholeView(stamp, whole))
  return note === '' ? result : { ...result, content: [...result.content, { type: 'text', text: note }] }
}

/** False for what a client cannot show as text, for notebooks, and for what is too long to exchange. */
function canShow({ path, size, first }: OpenFile): boolean {
  const isText = detectImageType(first) === undefined && !first.includes(0)
  return isText && size <= longestClientText && !path.endsWith('.ipynb')
}

/** Undefined if no client has a text, or none offers one. @param disk without `first`: there is no such file */
async function askClient(
  { path, descriptor, size = 0, first }: Partial<OpenFile> & Pick<OpenFile, 'path'>,
  { context, fence }: ReadSurroundings,
  signal: AbortSignal,
): Promise<ClientReading | undefined> {
  if (context.clientFiles?.() === undefined || fence?.check(path, 'read').allowed === false) return undefined
  const isShort = first !== undefined && size > 0 && size <= first.length
  const disk = descriptor === undefined || isShort ? first : await wholeContent(descriptor, signal)
  return readClientText({ path, target: realTarget(path) }, disk, context, signal)
}

async function readContent(
  file: OpenFile,
  image: ImageType | undefined,
  range: TextRange,
  version: ReadMemory['version'],
  signal: AbortSignal,
): Promise<ReadContent> {
  if (image !== undefined) return readImage(file, image, signal)
  if (range.hashes === true) return readHashes(file, range, version, signal)
  const cells = file.path.endsWith('.ipynb') ? await readNotebook(file, range, signal) : undefined
  return cells ?? readText(file, range, signal)
}

/** Reads all of the file: the version is stored, so that its anchors can be found again. */
async function readHashes(
  file: OpenFile,
  range: TextRange,
  version: ReadMemory['version'],
  signal: AbortSignal,
): Promise<ReadContent> {
  if (file.size > maxHashedBytes) {
    const size = formatBytes(file.size)
    throw new FileProblem(`${file.path} is too big for hashes (${size}); read it without, and change it with bash.`)
  }
  const whole = await wholeFile(file, signal)
  if (whole.includes(0)) throw new FileProblem(describeBinary(file))
  if (!isUtf8(whole))
    throw new FileProblem(`${file.path} is not UTF-8 text: read it without hashes, and change it with bash.`)
  return { result: readWithHashes(file.path, version(whole), range), whole }
}

// Reads lines of a text file within both limits; if something is left, a last line says how to continue.

interface TextRange {
  /** First line, from 1. Default 1. */
  readonly offset?: number
  /** Lines. Default and maximum 2,000. */
  readonly limit?: number
  /** Shows each line with an anchor. Default false. */
  readonly hashes?: boolean
}

const byteOrderMark = '\u{FEFF}'

/** Reads part of an open file as UTF-8; drops a byte order mark, and invalid bytes become U+FFFD. */
async function readText(file: OpenFile, range: TextRange, signal: AbortSignal): Promise<ReadContent> {
  const offset = range.offset ?? 1
  const limits = { ...outputLimits, maxLines: Math.min(range.limit ?? Infinity, outputLimits.maxLines) }
  // a little more than is shown, so that truncation never cuts inside a character
  const window = await readWindow(file, { ...limits, offset, maxBytes: limits.maxBytes + 8 }, signal)
  if (window.bytes.includes(0)) throw new FileProblem(describeBinary(file))
  if (window.bytes.length === 0 && offset > 1) {
    throw new FileProblem(`${file.path} has ${countOf(window.lineCount, 'line')}: offset ${offset} is past its end.`)
  }
  const text = window.bytes.toString('utf8')
  const shown = truncateHead(offset === 1 && text.startsWith(byteOrderMark) ? text.slice(1) : text, limits)
  const notice = describeRest(file, offset, window, shown)
  const details = {
    path: file.path,
    firstLine: offset,
    lines: shown.lines,
    isWhole: offset === 1 && notice === undefined,
  }
  const whole = details.isWhole ? window.bytes : undefined
  if (text === '') return { result: textResult('(The file is empty.)', { details }), whole }
  const gap = shown.text.endsWith('\n') ? '' : '\n'
  return { result: textResult(notice === undefined ? shown.text : `${shown.text}${gap}${notice}`, { details }), whole }
}

/** The message for a file that is neither text nor an image. */
function describeBinary({ path, size }: Pick<OpenFile, 'path' | 'size'>): string {
  const name = shellQuote(path)
  return (
    `${path} is a binary file (${formatBytes(size)}); read shows text and images (png, jpg, gif, webp). ` +
    `Inspect it with bash: file ${name}; xxd ${name} | head; for UTF-16 text, iconv -f UTF-16 -t UTF-8 ${name}`
  )
}

/** Undefined if nothing is left. */
function describeRest(file: OpenFile, offset: number, window: FileWindow, shown: Truncated): string | undefined {
  if (window.atEnd && shown.cutBy === undefined) return undefined
  const last = offset + shown.lines - 1
  const shownBytes = bytesShown(offset, window, shown)
  if (shown.cutLine) {
    const next = window.start + shownBytes + 1
    const rest = `tail -c +${next} ${shellQuote(file.path)} | head -c ${outputLimits.maxBytes}`
    return `[Line ${offset} is longer than ${formatBytes(outputLimits.maxBytes)}: only its beginning is shown. Read its rest with bash: ${rest}. For the next line use offset=${offset + 1}]`
  }
  const left = file.size - window.start - shownBytes
  const size = left > 0 ? `, ${formatBytes(left)} follow` : ''
  return `[Lines ${offset}-${last} are shown${size}. Continue with offset=${last + 1}]`
}

/** Bytes of the file that the shown text is made of, with a byte order mark before it. */
function bytesShown(offset: number, { bytes }: FileWindow, shown: Truncated): number {
  const mark = offset === 1 && bytes.toString('utf8', 0, 3) === byteOrderMark ? 1 : 0
  if (!shown.text.includes('\u{FFFD}')) return shown.bytes + 3 * mark
  return bytesOfUnits(bytes, shown.text.length + mark) // not UTF-8, or it holds that character itself
}
