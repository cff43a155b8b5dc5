// Parses and checks a client's line as a request; an invalid line gets one coded failure.
import type { Command, RequestEnvelope } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import { didYouMean } from '../../streams/values/nearest-name.ts'
import { checkCommand, checkRequest, commandNames, knowsCommand } from '../../streams/validation/validators.ts'
import { protocolVersion } from './frame.ts'
import type { IncomingLine } from './transport.ts'

/**
 * A valid request, with the command without the envelope's fields; or the failure, with the id to answer if it could be
 * read.
 */
export type ReadRequest =
  | { readonly ok: true; readonly envelope: RequestEnvelope; readonly command: Command }
  | { readonly ok: false; readonly id: string | null; readonly failure: Failure }

/** Never throws. */
export function readRequest(line: IncomingLine): ReadRequest {
  if ('problem' in line) return refused(null, lineProblems[line.problem]())
  const value = parseObject(line.text)
  if (value === undefined) return refused(null, new Failure('bad_json', 'A line must be one JSON object'))
  const id = idOf(value)
  if ('v' in value && value.v !== protocolVersion) return refused(id, unsupportedVersion(value.v))
  const envelope = checkRequest(value)
  if (!envelope.ok) return refused(id, new Failure('bad_request', `The request is invalid: ${envelope.problem}`))
  const { type } = envelope.value
  if (!knowsCommand(type))
    return refused(
      id,
      new Failure('unknown_command', `This server knows no command "${type}"${didYouMean(type, commandNames())}`),
    )
  const { v, id: ownId, timeoutMs, opId, ...fields } = envelope.value
  const command = checkCommand<Command>(fields)
  if (!command.ok) return refused(id, new Failure('bad_request', `${type} is invalid: ${command.problem}`))
  return { ok: true, envelope: envelope.value, command: command.value }
}

const lineProblems = {
  too_large: () =>
    new Failure('message_too_large', 'This line is longer than 16 MiB and was skipped to its end; send less at once'),
  not_utf8: () => new Failure('bad_json', 'A line must be UTF-8'),
}

function refused(id: string | null, failure: Failure): ReadRequest {
  return { ok: false, id, failure }
}

/** Returns undefined if the text is no JSON object. */
function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns a valid request id, or null. */
function idOf(value: object): string | null {
  if (!('id' in value) || typeof value.id !== 'string') return null
  return value.id.length >= 1 && value.id.length <= 128 ? value.id : null
}

function unsupportedVersion(version: unknown): Failure {
  const data = { min: protocolVersion, max: protocolVersion }
  // only a number is printed: some values cannot be made a string
  const other = typeof version === 'number' ? String(version) : 'the one that the request names'
  return new Failure('unsupported_version', `This server speaks protocol ${protocolVersion}, not ${other}`, { data })
}
