// Checks the answer against the JSON Schema of `--output-schema` and words the repair prompt.
import { readFileSync } from 'node:fs'
import { defer, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CheckedOutput } from '../../../lib/streams/messages/checked-output.ts'
import { Failure, describeThrown } from '../../../lib/streams/values/failure.ts'
import type { OutputSchema } from '../../../lib/streams/messages/output-schema.ts'
import { describeJsonFault } from '../../../lib/streams/values/json-fault.ts'

export interface AnswerCheck {
  readonly schema: OutputSchema
  check(answer: string): CheckedOutput
}

/**
 * Emits once; undefined without a file. Fails with `bad_request` if the schema cannot be used; the message names the
 * file.
 */
export function loadAnswerCheck(file: string | undefined): Observable<AnswerCheck | undefined> {
  if (file === undefined) return of(undefined)
  return defer(() => import('../../../lib/server/foreign-output.ts')).pipe(
    map(({ foreignOutputCheck }) => {
      const schema = readSchema(file)
      try {
        return { schema, check: foreignOutputCheck(schema) }
      } catch (error) {
        throw schemaFailure(file, describeThrown(error))
      }
    }),
  )
}

/** Prompt for the model after an answer that does not fit the schema. */
export function repairPrompt(problem: string): string {
  return `Your answer does not fit the JSON Schema: ${problem}.\nAnswer with the corrected JSON document and nothing else.`
}

function readSchema(file: string): OutputSchema {
  const value = parseSchema(file, readText(file))
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw schemaFailure(file, 'it must hold a JSON Schema as an object')
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw schemaFailure(file, describeThrown(error))
  }
}

function parseSchema(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw schemaFailure(file, describeJsonFault(text))
  }
}

function schemaFailure(file: string, problem: string): Failure {
  return new Failure('bad_request', `--output-schema ${file}: ${problem}`, { data: { file } })
}
