// A tool whose schema was compiled ahead of time says what is wrong with its arguments without loading Ajv.
import { describeError } from '../../streams/schema/compiled-validator.ts'
import type { CompiledValidator } from '../../streams/schema/compiled-validator.ts'
import type { ArgumentsValidator } from '../../streams/schema/compiled-validator.ts'

/** The compiled validator as a tool's `validate`. It stops at the first problem. */
export function argumentsValidator(compiled: CompiledValidator): ArgumentsValidator {
  return (args) => {
    if (compiled(args)) return []
    return (compiled.errors ?? []).map((error) => ({
      path: error.instancePath,
      reason: describeError({ ...error, instancePath: '' }).replace(/^it /, ''),
    }))
  }
}
