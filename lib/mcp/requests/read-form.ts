// Reads the flat schema of a form: bounded, with clean texts, without fields for secrets.
import type { TSchema } from '@sinclair/typebox'
import { foreignValidator } from '../../host/patterns/foreign-validator.ts'
import { compileDialect } from '../../streams/schema/compile-dialect.ts'
import type { ArgumentsValidator } from '../../streams/schema/compiled-validator.ts'
import { isRecord } from '../../streams/values/json.ts'
import { describingLine, textField } from '../content/foreign-text.ts'

const maxFields = 50
const maxChoices = 500
const maxNameLength = 128
const maxTextBytes = 1_024

export interface Form {
  readonly schema: Readonly<Record<string, unknown>>
  /** Values of fields that a person leaves out. */
  readonly defaults: Readonly<Record<string, unknown>>
  readonly validate: ArgumentsValidator
}

/** The form, or why no person is shown it. */
export function readForm(schema: unknown): Form | { readonly problem: string } {
  const { properties, required } = isRecord(schema) ? schema : {}
  if (!isRecord(properties)) return { problem: 'it has no fields' }
  const fields = Object.entries(properties)
  if (fields.length > maxFields) return { problem: `it has more than ${maxFields} fields` }
  const problem = fields.map(([name, field]) => fieldProblem(name, field)).find((each) => each !== undefined)
  if (problem !== undefined) return { problem }
  const clean = fields.map(([name, field]) => [name, cleanField(isRecord(field) ? field : {})] as const)
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
  const flat = { type: 'object', properties: Object.fromEntries(clean), required: names }
  return {
    schema: flat,
    defaults: Object.fromEntries(
      clean.flatMap(([name, field]) => ('default' in field ? [[name, field['default']]] : [])),
    ),
    // a JSON Schema, made of checked parts
    validate: foreignValidator((engine) => compileDialect(flat as unknown as TSchema, engine)),
  }
}

const types: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'array'])

function fieldProblem(name: string, field: unknown): string | undefined {
  if (name.length > maxNameLength || name === '__proto__') return 'a field has no usable name'
  if (!isRecord(field) || !types.has(field['type']))
    return `the field ${describingLine(name, 256)} is not a plain value`
  const words = [name, field['title'], field['format']].filter((word) => typeof word === 'string').join(' ')
  if (secret.test(words)) return `the field ${describingLine(name, 256)} asks for a secret`
  return choicesOf(field).length > maxChoices
    ? `the field ${describingLine(name, 256)} has too many choices`
    : undefined
}

/** Servers may ask for these by a page only, which rxpi never reads. */
const secret =
  /pass[ _-]?(?:word|phrase|code)|secret|credential|api[ _-]?key|private[ _-]?key|(?:access|auth|bearer|refresh)[ _-]?token|\btoken\b|\bpin\b|\bcvv\b|\botp\b/i

type Field = Readonly<Record<string, unknown>>

/** Only what a form of the protocol has; texts are cleaned, choices stay exact because they are sent back. */
function cleanField(field: Field): Field {
  const { type, format, minLength, maxLength, minimum, maximum, minItems, maxItems, default: own } = field
  const title = textField(field['title'], maxTextBytes)
  const description = textField(field['description'], maxTextBytes)
  const known = {
    type,
    format,
    minLength,
    maxLength,
    minimum,
    maximum,
    minItems,
    maxItems,
    title,
    description,
    default: own,
  }
  const items = isRecord(field['items']) ? { items: choices(field['items']) } : {}
  return {
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
    ...choices(field),
    ...items,
  }
}

function choices({ enum: values, enumNames, oneOf, anyOf }: Field): Field {
  const titled = Array.isArray(oneOf) ? oneOf : anyOf
  if (Array.isArray(titled)) {
    return {
      oneOf: titled.filter(isRecord).map(({ const: value, title }) => {
        const text = textField(title, maxTextBytes)
        return { const: value, ...(text !== undefined && { title: text }) }
      }),
    }
  }
  return {
    ...(Array.isArray(values) && { enum: values }),
    ...(Array.isArray(enumNames) && { enumNames: enumNames.map(cleanName) }),
  }
}

function cleanName(name: unknown): string {
  return textField(name, maxTextBytes) ?? ''
}

function choicesOf({ enum: values, oneOf, items }: Field): readonly unknown[] {
  if (Array.isArray(values)) return values
  if (Array.isArray(oneOf)) return oneOf
  if (!isRecord(items)) return []
  const own = items['enum'] ?? items['anyOf'] ?? items['oneOf']
  return Array.isArray(own) ? own : []
}
