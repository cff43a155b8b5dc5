// Reads and changes files by the texts of a client, which a person may not have saved.
import { isUtf8 } from 'node:buffer'
import { stat } from 'node:fs/promises'
import { longestClientText } from '../../streams/environment/file-exchange.ts'
import { FileProblem } from '../shared/file-problem.ts'
import { beginExchange } from './client-exchange.ts'
import type { ClientExchange, ExchangeContext, ExchangedFile } from './client-exchange.ts'
import { readRegular } from './read-regular.ts'
import type { ChangedFile } from './text-source.ts'

export interface ClientReading {
  /** Undefined: the disk counts. */
  readonly bytes?: Buffer
  /** A line for the model, or ''. */
  readonly note: string
}

const byteOrderMark = '\u{FEFF}'

/** The client's text of a file to read. @param disk the content on the disk; undefined: there is none */
export async function readClientText(
  file: ExchangedFile,
  disk: Buffer | undefined,
  context: ExchangeContext,
  signal: AbortSignal,
): Promise<ClientReading> {
  const begun = beginExchange(file, context)
  if (begun === undefined) return { note: '' }
  if ('problem' in begun) return { note: unreadNote(begun.problem) }
  try {
    const answer = await begun.read(signal)
    if ('problem' in answer) return { note: unreadNote(answer.problem) }
    if (answer.value === undefined) return { note: '' }
    const bytes = Buffer.from(answer.value)
    return { bytes, note: isSameText(bytes, disk) ? '' : unsavedNote }
  } finally {
    begun.close()
  }
}

const unsavedNote =
  '[The client has changes of this file that are not saved: commands and searches see it without them.]'

function unreadNote(problem: string): string {
  return `[This is the file on the disk. The client offers its own text, but ${problem}.]`
}

/** Line ends and a byte order mark do not count: a client may show neither. */
function isSameText(bytes: Buffer, disk: Buffer | undefined): boolean {
  return disk !== undefined && (bytes.equals(disk) || plain(bytes) === plain(disk))
}

function plain(bytes: Buffer): string {
  const text = bytes.toString('utf8').replaceAll('\r\n', '\n')
  return text.startsWith(byteOrderMark) ? text.slice(1) : text
}

/** Runs the work with the client's text of the file if the client takes changes, else on the disk. */
export async function changeAtClient<Result>(
  file: ChangedFile,
  context: ExchangeContext,
  signal: AbortSignal,
  work: (file: ChangedFile) => Promise<Result>,
): Promise<Result> {
  const begun = beginExchange(file, context)
  if (begun === undefined) return work(file)
  if ('problem' in begun) return work({ ...file, remark: unusedRemark(begun.problem) })
  try {
    return await work(await withClientText(file, begun, signal))
  } finally {
    begun.close()
  }
}

/** The file with the client's text, to compute a change that is not made. No model gets it. */
export async function fileWithText(
  file: ChangedFile,
  context: ExchangeContext,
  signal: AbortSignal,
): Promise<ChangedFile> {
  const begun = beginExchange(file, context)
  if (begun === undefined || 'problem' in begun) return file
  try {
    return await withClientText(file, begun, signal)
  } finally {
    begun.close()
  }
}

async function withClientText(file: ChangedFile, exchange: ClientExchange, signal: AbortSignal): Promise<ChangedFile> {
  const disk = await textOnDisk(file, signal)
  if (disk === 'no_text') return file
  const answer = await exchange.read(signal)
  if ('problem' in answer) return { ...file, remark: unusedRemark(answer.problem) }
  const write = async (content: string): Promise<void> => {
    const written = await exchange.write(content, signal)
    if ('problem' in written) throw unconfirmed(file, written.problem)
  }
  if (answer.value === undefined)
    return disk === undefined && exchange.canWrite ? { ...file, client: { bytes: undefined, write } } : file
  const bytes = Buffer.from(answer.value)
  if (exchange.canWrite) return { ...file, client: { bytes, write } }
  if (isSameText(bytes, disk)) return file
  throw new FileProblem(
    `The client has changes of ${file.path} that are not saved, and takes none from here; nothing was changed. Ask the user to save the file first.`,
  )
}

/** `no_text`: what a client cannot show as text, or what is too long to exchange. */
async function textOnDisk(file: ChangedFile, signal: AbortSignal): Promise<Buffer | 'no_text' | undefined> {
  const status = await stat(file.target).catch(() => undefined) // the work itself reports what is wrong
  if (status === undefined) return undefined
  if (!status.isFile() || status.size > longestClientText) return 'no_text'
  const read = await readRegular(file, signal).catch(() => undefined) // as above
  return read === undefined || !isUtf8(read.bytes) || read.bytes.includes(0) ? 'no_text' : read.bytes
}

function unusedRemark(problem: string): string {
  return ` Note: this is about the file on the disk; the client offers its own text, but ${problem}.`
}

function unconfirmed({ path }: ChangedFile, problem: string): FileProblem {
  return new FileProblem(
    `The client did not confirm the change of ${path}: ${problem}. It may have taken effect: read the file again.`,
  )
}

/** A sentence for the model if the text that the client took is not on the disk, else ''. */
export async function unsavedRemark(file: ChangedFile, content: string, signal: AbortSignal): Promise<string> {
  const disk = await readRegular({ path: file.path, target: file.target, fence: file.fence }, signal).catch(() => undefined) // prettier-ignore
  if (disk !== undefined && isSameText(Buffer.from(content), disk.bytes)) return ''
  return ' Note: the client has taken the change, and the file on the disk is another one: it is not saved, or was changed by saving. Commands and searches see the disk.' // prettier-ignore
}
