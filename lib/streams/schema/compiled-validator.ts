// Wraps compiled validators.
// A check returns the typed value or one readable reason, and never throws.

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

/** One reason why arguments are invalid: `path` is a JSON pointer, '' for the whole. */
export interface ArgumentProblem {
  readonly path: string
  readonly reason: string
}

/** Returns the problems of arguments; an empty list means valid. */
export type ArgumentsValidator = (args: unknown) => readonly ArgumentProblem[]

/**
 * Describes the first error in one phrase: path and problem. In a union, an error about a literal only says that
 * another branch was meant, so the first error of another kind is used.
 */
export function describeProblem({ errors }: CompiledValidator): string {
  const error = errors?.find(({ keyword }) => keyword !== 'const') ?? errors?.[0]
  return error === undefined ? 'it does not fit its schema' : describeError(error)
}

/** `/content/0/text must be string`, with the allowed or unknown value if Ajv's message omits it. */
export function describeError(error: ValidatorError): string {
  const where = error.instancePath === '' ? 'it' : error.instancePath
  return `${where} ${error.message ?? `fails ${error.keyword}`}${describeParameter(error.params ?? {})}`
}

function describeParameter({
  allowedValues,
  allowedValue,
  additionalProperty,
}: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(allowedValues)) return `: ${allowedValues.map(showValue).join(', ')}`
  if (allowedValue !== undefined) return `: ${JSON.stringify(allowedValue)}`
  return typeof additionalProperty === 'string' ? `: "${additionalProperty}"` : ''
}

function showValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The result of a check: the typed value, or the path and the problem. */
export type Checked<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string }

/** @param validator compiled from the schema whose static type `Value` is */
export function createCheck<Value>(validator: CompiledValidator): (value: unknown) => Checked<Value> {
  return (value) =>
    validator(value)
      ? { ok: true, value: value as Value } // the schema's own static type
      : { ok: false, problem: describeProblem(validator) }
}
