// Reads and writes the files of a client by calls over its connection.
// Guarantees: a call ends in time; an answer that is no text, or too long, is a failure.
import { map, throwError } from 'rxjs'
import { longestClientText } from '../../streams/environment/file-exchange.ts'
import type { ClientFiles } from '../../streams/environment/file-exchange.ts'
import type { ToolResult } from '../../streams/ports/tool.ts'
import { formatBytes } from '../../streams/values/format-bytes.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isRecord } from '../../streams/values/json.ts'
import { lineLimit } from '../protocol/transport.ts'
import { answerText, callClient, checkAnswer, confirmed } from './call-client.ts'
import type { ClientCalls } from './call-client.ts'
import { fileCalls, missingFile } from './file-calls.ts'

const readMs = 10_000
const writeMs = 30_000

export interface ClientFilesOptions extends ClientCalls {
  readonly canWrite: boolean
}

export function clientFiles(options: ClientFilesOptions): ClientFiles {
  return {
    canWrite: options.canWrite,
    read: (path) => callClient({ name: fileCalls.read, args: { path }, limitMs: readMs }, options).pipe(map(textOf)),
    write: (path, text) => {
      if (JSON.stringify(text).length > lineLimit / 2) return throwError(() => tooLong('the new text'))
      return confirmed(callClient({ name: fileCalls.write, args: { path, text }, limitMs: writeMs }, options))
    },
  }
}

/** @throws Failure for an answer that is no text of a file */
function textOf(result: ToolResult): string | undefined {
  if (isMissing(result)) return undefined
  checkAnswer(result)
  const text = answerText(result)
  if (result.content.length === 0 || text.includes('\0'))
    throw new Failure('bad_request', 'the client answered with something else than text')
  if (Buffer.byteLength(text) > longestClientText) throw tooLong('its text')
  return text
}

function isMissing({ isError, details }: ToolResult): boolean {
  return isError === true && isRecord(details) && details['code'] === missingFile
}

function tooLong(what: string): Failure {
  return new Failure('message_too_large', `${what} is longer than ${formatBytes(longestClientText)}`)
}
