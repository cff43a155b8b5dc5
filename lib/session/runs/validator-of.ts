// The command's own tools bring their checks compiled ahead; Ajv is not loaded for them.
import { Failure } from '../../streams/values/failure.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { ArgumentsValidator } from '../../streams/schema/compiled-validator.ts'

/** @throws Failure `internal` for a tool without `validate`: foreign tools are given a validator when they are registered */
export function validatorOf({ name, validate }: AnyTool): ArgumentsValidator {
  if (validate === undefined) throw new Failure('internal', `The tool ${name} has no compiled validator`)
  return validate
}
