// A script in a JSON file becomes a model of its own, so that the whole command runs offline against known answers.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure } from '../../streams/values/failure.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { ScriptFile } from '../../streams/config/script-file.ts'
import { checkScriptFile } from '../../streams/validation/file-validators.ts'
import { scripted } from './scripted.ts'
import { scriptedModel } from './scripted.ts'
import { describeThrown } from '../../streams/values/failure.ts'

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
 * `text` and `thinking` may be arrays: the exact pieces. A call's `arguments` may be a string: the text as a wire would carry
 * it. `end: "early"` completes without an end, `end: "never"` stalls. Counting starts anew with each opened session.
 * @throws Failure `bad_request` naming the file and what is wrong with it
 */
export function scriptedFile(file: string, cwd: string): ProviderModel {
  return { model: { ...scriptedModel, id: file }, provider: scripted(readScript(file, resolve(cwd, file))) }
}

function readScript(file: string, path: string): ScriptFile {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const reason = describeThrown(error)
    throw new Failure('bad_request', `The script ${file} cannot be read: ${reason}`)
  }
  const checked = checkScriptFile(value)
  if (checked.ok) return checked.value
  throw new Failure('bad_request', `The script ${file} is not valid: ${checked.problem}`)
}
