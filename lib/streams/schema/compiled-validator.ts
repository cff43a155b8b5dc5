// Wraps compiled validators, and words their first error for people.
// A check returns the typed value or one readable reason, and never throws.
import { countOf } from '../values/count-of.ts'

/** One error as Ajv writes it. */
export interface ValidatorError {
  readonly instancePath: string
  readonly keyword: string
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

/** `/content/0/text must be text`: the path and the problem in words; the validator's own message is not used. */
export function describeError(error: ValidatorError): string {
  const where = error.instancePath === '' ? 'it' : error.instancePath
  const describe = byKeyword[error.keyword]
  return `${where} ${describe?.(error.params ?? {}) ?? 'does not fit its schema'}`
}

type Parameters = Readonly<Record<string, unknown>>

/** The problem by the keyword of the schema (JSON Schema 2020-12, and Ajv's `discriminator`). */
const byKeyword: Readonly<Record<string, ((params: Parameters) => string) | undefined>> = {
  type: ({ type }) => `must be ${[type].flat().map(nameType).join(' or ')}`,
  required: ({ missingProperty }) => `needs the field ${showValue(missingProperty)}`,
  dependencies: ({ missingProperty }) => `needs the field ${showValue(missingProperty)}`,
  dependentRequired: ({ missingProperty }) => `needs the field ${showValue(missingProperty)}`,
  additionalProperties: ({ additionalProperty }) => `has the unknown field ${showValue(additionalProperty)}`,
  unevaluatedProperties: ({ unevaluatedProperty }) => `has the unknown field ${showValue(unevaluatedProperty)}`,
  propertyNames: ({ propertyName }) => `has a field with the wrong name ${showValue(propertyName)}`,
  enum: ({ allowedValues }) =>
    `must be one of ${Array.isArray(allowedValues) ? allowedValues.map(listValue).join(', ') : ''}`,
  const: ({ allowedValue }) => `must be ${showValue(allowedValue)}`,
  pattern: ({ pattern }) => patternTexts[String(pattern)] ?? `must have the form ${String(pattern)}`,
  format: ({ format }) => `must have the form of ${String(format)}`,
  minLength: ({ limit }) =>
    limit === 1 ? 'must not be empty' : `must have at least ${countOf(Number(limit), 'character')}`,
  maxLength: ({ limit }) => `must have at most ${countOf(Number(limit), 'character')}`,
  minItems: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${countOf(Number(limit), 'item')}`),
  maxItems: ({ limit }) => `must have at most ${countOf(Number(limit), 'item')}`,
  items: ({ limit }) => `must have at most ${countOf(Number(limit), 'item')}`,
  additionalItems: ({ limit }) => `must have at most ${countOf(Number(limit), 'item')}`,
  minProperties: ({ limit }) =>
    limit === 1 ? 'must not be empty' : `must have at least ${countOf(Number(limit), 'field')}`,
  maxProperties: ({ limit }) => `must have at most ${countOf(Number(limit), 'field')}`,
  uniqueItems: () => 'must not have the same item twice',
  contains: () => 'lacks a required item',
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  exclusiveMinimum: ({ limit }) => `must be above ${String(limit)}`,
  exclusiveMaximum: ({ limit }) => `must be below ${String(limit)}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${String(multipleOf)}`,
  discriminator: ({ error, tag }) =>
    error === 'mapping' ? `has an unknown ${showValue(tag)}` : `needs the field ${showValue(tag)}, as text`,
  anyOf: () => 'has none of the allowed forms',
  oneOf: () => 'has none of the allowed forms, or more than one',
  not: () => 'has a form that is excluded',
}

/** For patterns that people meet: of their files, and of ids on the wire. */
const patternTexts: Readonly<Record<string, string | undefined>> = {
  '^https?://': 'must begin with http:// or https://',
  '^[a-z2-7]{12}$': 'must be the id of a session (12 characters of a–z and 2–7)',
  '^[a-z2-7]{8}$': 'must be an id of 8 characters of a–z and 2–7',
  '^[a-z2-7]{26}$': 'must be an id of 26 characters of a–z and 2–7',
}

const typeNames: Readonly<Record<string, string | undefined>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
}

function nameType(type: unknown): string {
  return typeNames[String(type)] ?? String(type)
}

function listValue(value: unknown): string {
  return typeof value === 'string' ? value : showValue(value)
}

function showValue(value: unknown): string {
  return JSON.stringify(value)
}

/** The result of a check: the typed value, or the path and the problem. */
export type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string }

/** @param validator compiled from the schema whose static type `Value` is */
export function createCheck<Value>(validator: CompiledValidator): (value: unknown) => Checked<Value> {
  return (value) =>
    validator(value)
      ? { ok: true, value: value as Value } // the schema's own static type
      : { ok: false, problem: describeProblem(validator) }
}
