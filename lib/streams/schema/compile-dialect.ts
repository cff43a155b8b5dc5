// Compiles JSON Schemas of other programs by the draft that they name: 2020-12, or draft 7 and older.
// Guarantees: a compiled schema leaves nothing behind; a `$ref` is never written out, so that code grows with the schema's text only.
import type { TSchema } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { compileWith, problemsBy } from './compile-schema.ts'
import type { PatternEngine } from './compile-schema.ts'
import type { ArgumentsValidator } from './compiled-validator.ts'

const common = { strict: false, allErrors: true, validateFormats: false, messages: false, logger: false } as const

/** Check schemas; they compile none, because an instance holds what it compiled. Made on first use: their own schemas take 30 ms. */
const checkers: { draft7?: Ajv; draft2020?: Ajv2020 } = {}

/**
 * Compiles a schema now. Without `$schema` it counts as 2020-12, as MCP says.
 * @param regExp matches the schema's patterns
 * @throws Failure `bad_request` with the fault of the schema in words
 */
export function compileDialect(schema: TSchema, regExp: PatternEngine): ArgumentsValidator {
  const { $schema: dialect, ...plain } = schema
  const options = { ...common, meta: false, validateSchema: false, inlineRefs: false, code: { regExp } } as const
  return problemsBy(
    isDraft7(dialect)
      ? compileWith(new Ajv(options), plain, (checkers.draft7 ??= new Ajv(common)))
      : compileWith(new Ajv2020(options), plain, (checkers.draft2020 ??= new Ajv2020(common))),
  )
}

function isDraft7(dialect: unknown): boolean {
  return typeof dialect === 'string' && /^https?:\/\/json-schema\.org\/(?:draft-0[1-7]\/)?schema#?$/.test(dialect)
}
