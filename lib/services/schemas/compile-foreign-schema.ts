// Compiles JSON Schemas of clients, files and servers, whose patterns rxpi does not trust.
import type { TSchema } from '@sinclair/typebox'
import { foreignValidator } from '../../host/patterns/foreign-validator.ts'
import { compileNow } from '../../streams/schema/compile-schema.ts'
import type { ArgumentsValidator } from '../../streams/schema/compiled-validator.ts'

/** The validator of a foreign schema; compiled on the first call. It reports every problem. */
export function compileForeignSchema(schema: TSchema): ArgumentsValidator {
  return foreignValidator((engine) => compileNow(schema, engine))
}
