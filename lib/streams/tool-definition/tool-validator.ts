// Finds the validator of a tool's arguments: its own, or one compiled from its JSON Schema.
import { compileSchema } from '../schema/compile-schema.ts'
import type { ArgumentsValidator } from '../schema/compiled-validator.ts'
import type { AnyTool } from '../ports/tool.ts'

/**
 * The `validatorOf` of `openSession` for tools with TypeBox or JSON Schema. It compiles a schema on first use, by Ajv,
 * which needs `new Function`: on a page whose policy forbids that, give tools a Standard Schema.
 */
export function toolValidator({ validate, parameters }: AnyTool): ArgumentsValidator {
  return validate ?? compileSchema(parameters)
}
