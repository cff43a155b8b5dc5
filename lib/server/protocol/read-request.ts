// A client's line is taken for a request only when every field has been checked; whatever is wrong has one coded answer.
import type { Command, RequestEnvelope } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import { checkCommand, checkRequest, knowsCommand } from '../../streams/validation/validators.ts'
import { protocolVersion } from './frame.ts'
import type { IncomingLine } from './transport.ts'

/** A request that fits its schema, its command without the envelope's fields; or why the line is none, with the id to answer to where it could be read. */
export type ReadRequest =
  | { readonly ok: true; readonly envelope: RequestEnvelope; readonly command: Command }
  | { readonly ok: false; readonly id: string | null; readonly failure: Failure }

/** Never throws. */
export function readRequest(line: IncomingLine): ReadRequest {
  if ('problem' in line) return refused(null, lineProblems[line.problem]())
  const value = parsed(line.text)
  if (value === undefined) return refused(null, new Failure('bad_json', 'A line must be one JSON object'))
  const id = idOf(value)
  if ('v' in value && value.v !== protocolVersion) return refused(id, unsupported(value.v))
  const envelope = checkRequest(value)
  if (!envelope.ok) return refused(id, new Failure('bad_request', `The request does not fit: ${envelope.problem}`))
  const { type } = envelope.value
  if (!knowsCommand(type)) return refused(id, new Failure('unknown_command', `This server knows no command "${type}"`))
  const { v, id: ownId, timeoutMs, opId, ...fields } = envelope.value
  const command = checkCommand<Command>(fields)
  if (!command.ok) return refused(id, new Failure('bad_request', `${type} does not fit: ${command.problem}`))
  return { ok: true, envelope: envelope.value, command: command.value }
}

const lineProblems = {
  too_large: () => new Failure('message_too_large', 'A line may have 16 MiB; this one was skipped to its end'),
  not_utf8: () => new Failure('bad_json', 'A line must be UTF-8'),
}

function refused(id: string | null, failure: Failure): ReadRequest {
  return { ok: false, id, failure }
}

/** Nothing where the text is no JSON object. */
function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Only one that a request may have. */
function idOf(value: object): string | null {
  if (!('id' in value) || typeof value.id !== 'string') return null
  return value.id.length >= 1 && value.id.length <= 128 ? value.id : null
}

function unsupported(version: unknown): Failure {
  const data = { min: protocolVersion, max: protocolVersion }
  // only a number is told: of other values not even a text can always be made
  const other = typeof version === 'number' ? String(version) : 'what the request names'
  return new Failure('unsupported_version', `This server speaks protocol ${protocolVersion}, not ${other}`, { data })
}
