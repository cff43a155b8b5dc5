// A compiled validator answers true or leaves its first error on itself, as Ajv's standalone code does.

/** One error as Ajv writes it. */
export interface ValidatorError {
  readonly instancePath: string
  readonly keyword: string
  readonly message?: string
  readonly params?: Readonly<Record<string, unknown>>
}

export interface CompiledValidator {
  (value: unknown): boolean
  errors?: readonly ValidatorError[] | null
}

/** One reason why arguments do not fit: `path` is a JSON pointer, '' for the whole. */
export interface ArgumentProblem {
  readonly path: string
  readonly reason: string
}

/** Says what is wrong with arguments; an empty list = valid. */
export type ArgumentsValidator = (args: unknown) => readonly ArgumentProblem[]

/**
 * The first error in one phrase: where, and what is wrong there. Of a union's errors that a literal is another one says only
 * that some other branch was meant; the first that says more counts.
 */
export function describeProblem({ errors }: CompiledValidator): string {
  const error = errors?.find(({ keyword }) => keyword !== 'const') ?? errors?.[0]
  return error === undefined ? 'it does not fit its schema' : describeError(error)
}

/** `/content/0/text must be string`, with what is allowed or unknown where the message does not say it. */
export function describeError(error: ValidatorError): string {
  const where = error.instancePath === '' ? 'it' : error.instancePath
  return `${where} ${error.message ?? `fails ${error.keyword}`}${named(error.params ?? {})}`
}

function named({ allowedValues, allowedValue, additionalProperty }: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(allowedValues)) return `: ${allowedValues.map(valueText).join(', ')}`
  if (allowedValue !== undefined) return `: ${JSON.stringify(allowedValue)}`
  return typeof additionalProperty === 'string' ? `: "${additionalProperty}"` : ''
}

/** A text as it is. */
function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

// A compiled validator becomes a check that gives the value with its type, or one readable reason, never an exception.

/** What a check says: the value with its type, or where and why it does not fit. */
export type Checked<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string }

/** @param validator compiled of the schema whose static type `Value` is */
export function createCheck<Value>(validator: CompiledValidator): (value: unknown) => Checked<Value> {
  return (value) =>
    validator(value)
      ? { ok: true, value: value as Value } // the schema's own static type
      : { ok: false, problem: describeProblem(validator) }
}
