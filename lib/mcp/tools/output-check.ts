// Checks the structured result of a tool against the output schema that its server lists.
// Guarantees: a schema that cannot be used checks nothing; it is read with the first result, not with the list.
import { describingLine } from '../content/foreign-text.ts'
import { readInputSchema } from './input-schema.ts'

/** Returns a sentence about what does not fit; undefined if all does. */
export type OutputCheck = (structured: unknown) => string | undefined

const maxSentenceBytes = 512

/** Undefined for a tool without an output schema. */
export function outputCheck(schema: unknown): OutputCheck | undefined {
  if (schema === undefined) return undefined
  let check: OutputCheck | undefined
  return (structured) => {
    check ??= readCheck(schema)
    return check(structured)
  }
}

function readCheck(schema: unknown): OutputCheck {
  const validate = validatorOf(schema)
  if (validate === undefined) return () => undefined
  return (structured) => {
    if (structured === undefined) return 'The tool has an output schema, and its result has no structured content'
    const [fault] = validate(structured)
    if (fault === undefined) return undefined
    const part = fault.path === '' ? 'it' : fault.path
    return describingLine(`The structured content does not fit the tool’s output schema: ${part} ${fault.reason}`, maxSentenceBytes) // prettier-ignore
  }
}

/** Undefined: the schema would cost too much, or does not compile, which says nothing about the result. */
function validatorOf(schema: unknown) {
  try {
    const { validate, compileProblem } = readInputSchema(schema)
    return compileProblem() === undefined ? validate : undefined
  } catch {
    return undefined
  }
}
