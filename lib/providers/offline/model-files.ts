// Loads a model from a file: a script (`scripted/<file>`) or a session's log (`replay/<file>`).
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { describeJsonFault } from '../../streams/values/json-fault.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { ScriptFile } from '../../streams/config/script-file.ts'
import { checkScriptFile } from '../../streams/validation/file-validators.ts'
import { scripted, scriptedModel } from './scripted.ts'
import { branch, emptySession, foldSession } from '../../streams/state/fold-session.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import { knowsEvent } from '../../streams/events/known-events.ts'
import { checkEvent, checkLogLine } from '../../streams/validation/validators.ts'
import { replay } from './replay.ts'

/**
 * The model `scripted/<file>`. The file holds an array with one answer a request, in order; a request past the last one
 * fails. An answer is a string (its text) or an object, all of whose fields are optional:
 *
 * ```json
 * [
 *   { "text": "I look.", "toolCalls": [{ "name": "bash", "arguments": { "command": "ls" } }] },
 *   { "error": { "kind": "rate_limit", "status": 429, "retryAfterMs": 10 } },
 *   { "thinking": "So …", "text": "Done.", "pieceLength": 20, "delayMs": 5, "pieceDelayMs": 1, "usage": { "output": 7 } },
 *   "And that is all."
 * ]
 * ```
 *
 * `text` and `thinking` may be arrays: the exact pieces. A call's `arguments` may be a string: the text as a wire would
 * carry it. `end: "early"` completes without an end, `end: "never"` stalls. Counting starts anew with each opened
 * session.
 * @throws Failure `bad_request` naming the file and what is wrong with it
 */
export function scriptedFile(file: string, cwd: string): ProviderModel {
  return { model: { ...scriptedModel, id: file }, provider: scripted(readScript(file, resolve(cwd, file))) }
}

function readScript(file: string, path: string): ScriptFile {
  const checked = checkScriptFile(parseScript(file, readText(`The script ${file}`, path)))
  if (checked.ok) return checked.value
  throw new Failure('bad_request', `The script ${file} is not valid: ${checked.problem}`)
}

function parseScript(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure('bad_request', `The script ${file} is not valid: ${describeJsonFault(text)}`)
  }
}

/**
 * Returns the model `replay/<file>`, which repeats the conversation of a session's log up to its head. Lines are
 * checked by their schema; `rxpi sessions verify` detects later changes.
 * @throws Failure `bad_request` naming the file, the line and the fault
 */
export function replayFile(file: string, cwd: string): ProviderModel {
  const entries = branch(readState(file, resolve(cwd, file)))
  const model = { ...scriptedModel, id: file, provider: 'replay', api: 'replay' }
  return { model, provider: replay(entries, file) }
}

function readState(file: string, path: string): SessionState {
  const [header = '', ...lines] = readText(`The session file ${file}`, path).split('\n')
  checkFirstLine(file, parseObject(header))
  let state = emptySession()
  for (const [index, line] of lines.entries()) {
    const value = parseObject(line)
    // a checkpoint has no number; a cut last line has no end
    if (line === '' || (value === undefined && index === lines.length - 1)) continue
    if (isCheckpoint(value)) continue
    const checked = checkLogLine(value)
    if (!checked.ok) throw invalidFile(file, index + 2, checked.problem)
    const { event } = checked.value
    const known = knowsEvent(event.type) ? checkEvent(event) : undefined
    if (known?.ok === false) throw invalidFile(file, index + 2, known.problem)
    state = foldSession(state, { ...checked.value, event: event as AgentEvent }) // checked, or ignored by the fold
  }
  return state
}

/** @param named the file, in the words of the error */
function readText(named: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Failure('bad_request', `${named} cannot be read: ${describeThrown(cause)}`, { cause })
  }
}

function parseObject(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined // the caller reports it with its line
  }
}

/** Refuses a session of pi, which has no `v`. @throws Failure `bad_request` */
function checkFirstLine(file: string, header: object | undefined): void {
  if (header === undefined || !('type' in header) || header.type !== 'session')
    throw invalidFile(file, 1, 'it is not the first line of a session')
  if (!('v' in header))
    throw invalidFile(
      file,
      1,
      'it is a session of another program; import it with `rxpi sessions import`, and name the new log',
    )
}

function isCheckpoint(value: object | undefined): boolean {
  if (value === undefined || 'seq' in value || !('event' in value)) return false
  const { event } = value
  return typeof event === 'object' && event !== null && 'type' in event && event.type === 'message_update'
}

function invalidFile(file: string, line: number, problem: string): Failure {
  return new Failure('bad_request', `The session file ${file} is not valid at line ${line}: ${problem}`)
}
