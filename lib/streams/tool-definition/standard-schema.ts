// Reads Standard Schemas (standardschema.dev): their JSON Schema, and their validation.
import type { ArgumentProblem } from '../schema/compiled-validator.ts'
import { isRecord } from '../values/json.ts'
import { Failure, describeThrown } from '../values/failure.ts'

/**
 * A schema of zod (4.2 or later), ArkType, `toStandardJsonSchema` of `@valibot/to-json-schema`, and of any other
 * library that follows both specifications. Without `validate`, values are checked as JSON Schema.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    /** Its library. */
    readonly vendor: string
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly validate?: (value: unknown) => StandardResult<Output> | PromiseLike<StandardResult<Output>>
    readonly jsonSchema: {
      /** @throws Error if JSON Schema, or the draft `target`, cannot express the schema */
      readonly input: (options: { readonly target: 'draft-07' | 'draft-2020-12' }) => Record<string, unknown>
    }
  }
}

/** Outcome of a validation: the value after defaults and transforms, or the issues. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  /** Keys from the outside to the inside. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** True for a value with the interface of Standard Schema; whether it has a JSON Schema is not checked. */
export function isStandardSchema(value: unknown): value is Pick<StandardSchema, '~standard'> {
  // ArkType's schemas are functions
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  return '~standard' in value && isRecord(value['~standard'])
}

/**
 * The JSON Schema of the values that the schema takes.
 * @param subject names the schema in a failure
 * @throws Failure `bad_request` if the schema has none
 */
export function jsonSchemaOf({ '~standard': standard }: StandardSchema, subject: string): Record<string, unknown> {
  const { vendor, jsonSchema } = standard as Partial<StandardSchema['~standard']>
  if (typeof jsonSchema?.input !== 'function') {
    throw new Failure('bad_request', `${subject} are a schema of ${vendor} without JSON Schema: ${remedy(vendor)}`)
  }
  const { $schema: _, ...schema } = convert(jsonSchema, `${subject} are a schema of ${vendor} that`)
  return schema
}

/**
 * Ajv checks draft 7, and providers get what their API takes: the other draft serves only schemas that draft 7 cannot
 * say.
 */
function convert({ input }: StandardSchema['~standard']['jsonSchema'], subject: string): Record<string, unknown> {
  try {
    return input({ target: 'draft-07' })
  } catch {
    try {
      return input({ target: 'draft-2020-12' })
    } catch (cause) {
      throw new Failure('bad_request', `${subject} JSON Schema cannot express: ${describeThrown(cause)}`, { cause })
    }
  }
}

function remedy(vendor: string | undefined): string {
  const known: Readonly<Record<string, string>> = {
    zod: 'update zod to 4.2 or later',
    valibot: 'pass toStandardJsonSchema(schema) of @valibot/to-json-schema',
    arktype: 'update arktype to 2.1.28 or later',
  }
  return known[vendor ?? ''] ?? 'pass its JSON Schema'
}

/** The issues as problems of arguments. */
export function problemsOf(issues: readonly StandardIssue[]): readonly ArgumentProblem[] {
  return issues.map(({ path = [], message }) => ({
    path: [...path].map((part) => `/${escapePointer(typeof part === 'object' ? part.key : part)}`).join(''),
    reason: message,
  }))
}

function escapePointer(key: PropertyKey): string {
  return String(key).replaceAll('~', '~0').replaceAll('/', '~1')
}
