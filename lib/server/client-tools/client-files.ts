// Reads and writes the files of a client by calls over its connection.
// Guarantees: a call ends in time; an answer that is no text, or too long, is a failure.
import { map, merge, mergeMap, take, tap, throwError, timeout } from 'rxjs'
import type { Observable } from 'rxjs'
import { longestClientText } from '../../streams/environment/file-exchange.ts'
import type { ClientFiles } from '../../streams/environment/file-exchange.ts'
import type { ToolResult } from '../../streams/ports/tool.ts'
import { formatBytes } from '../../streams/values/format-bytes.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isRecord } from '../../streams/values/json.ts'
import { lineLimit } from '../protocol/transport.ts'
import type { ChannelCalls } from './channel-calls.ts'
import { fileCalls, missingFile } from './file-calls.ts'

const readMs = 10_000
const writeMs = 30_000

export interface ClientFilesOptions {
  readonly session: string
  readonly calls: Pick<ChannelCalls, 'call'>
  readonly canWrite: boolean
  /** Emits when the client has left the session. */
  readonly left$: Observable<unknown>
  /** Called when a call is not answered in time. */
  onLate(): void
}

export function clientFiles(options: ClientFilesOptions): ClientFiles {
  return {
    canWrite: options.canWrite,
    read: (path) => callClient(fileCalls.read, { path }, { ...options, limitMs: readMs }).pipe(map(textOf)),
    write: (path, text) => {
      if (JSON.stringify(text).length > lineLimit / 2) return throwError(() => tooLong('the new text'))
      return callClient(fileCalls.write, { path, text }, { ...options, limitMs: writeMs }).pipe(map(checkWritten))
    },
  }
}

function callClient(
  name: string,
  args: Readonly<Record<string, string>>,
  { session, calls, left$, limitMs, onLate }: ClientFilesOptions & { readonly limitMs: number },
): Observable<ToolResult> {
  const late = (): Failure => new Failure('timeout', `the client did not answer within ${limitMs / 1_000} s`)
  const end$ = left$.pipe(mergeMap(() => throwError(() => new Failure('disconnected', 'the client left the session'))))
  return merge(calls.call({ session, name, args }), end$).pipe(
    take(1),
    timeout({ first: limitMs, with: () => throwError(() => late()).pipe(tap({ error: onLate })) }),
  )
}

/** @throws Failure for an answer that is no text of a file */
function textOf(result: ToolResult): string | undefined {
  if (isMissing(result)) return undefined
  checkWritten(result)
  if (result.content.length === 0) throw noText()
  const text = result.content.map((part) => (part.type === 'text' ? part.text : undefined))
  if (text.some((each) => each === undefined)) throw noText()
  const whole = text.join('')
  if (whole.includes('\0')) throw noText()
  if (Buffer.byteLength(whole) > longestClientText) throw tooLong('its text')
  return whole
}

function isMissing({ isError, details }: ToolResult): boolean {
  return isError === true && isRecord(details) && details['code'] === missingFile
}

/** @throws Failure with the client's words for an error */
function checkWritten({ isError, content }: ToolResult): void {
  if (isError !== true) return
  const words = content.map((part) => (part.type === 'text' ? part.text : '')).join(' ')
  throw new Failure('internal', `the client answered with an error: ${words.slice(0, 500)}`)
}

function noText(): Failure {
  return new Failure('bad_request', 'the client answered with something else than text')
}

function tooLong(what: string): Failure {
  return new Failure('message_too_large', `${what} is longer than ${formatBytes(longestClientText)}`)
}
