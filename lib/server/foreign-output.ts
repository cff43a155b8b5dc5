// Checks answers against a JSON Schema with safe patterns (docs/design/security.md#S27).
import { compileForeignSchema } from '../services/schemas/compile-foreign-schema.ts'
import { outputCheck } from '../streams/messages/checked-output.ts'
import type { CheckedOutput } from '../streams/messages/checked-output.ts'
import type { OutputSchema } from '../streams/messages/output-schema.ts'

/** As `outputCheck`. @throws Failure `bad_request` if the schema is invalid */
export function foreignOutputCheck(schema: OutputSchema): (answer: string) => CheckedOutput {
  return outputCheck(schema, compileForeignSchema)
}
