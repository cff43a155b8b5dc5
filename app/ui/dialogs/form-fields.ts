// Reads the fields of a form from its JSON Schema, and asks for one after the other.
import { isRecord } from '../../../lib/streams/values/json.ts'
import { span, spanLines } from '../text/span.ts'
import { wrapLine } from '../text/wrap-line.ts'
import type { Choice } from './choices.ts'
import type { QuestionContent } from './question-content.ts'

/** A field of a flat form. */
export interface FormField {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices'
  readonly isRequired: boolean
  /** Of `choice`: the values, with the words for people. */
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly initial: unknown
}

/** The fields of an object schema; what is no text, number, truth value or choice is a text. */
export function formFields(schema: unknown): readonly FormField[] {
  if (!isRecord(schema) || !isRecord(schema['properties'])) return []
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(schema['properties']).map(([name, value]) => {
    const field = isRecord(value) ? value : {}
    const isMany = field['type'] === 'array'
    const options = optionsOf(isMany && isRecord(field['items']) ? field['items'] : field)
    return {
      name,
      title: textOf(field['title']) ?? name,
      description: textOf(field['description']) ?? '',
      kind: isMany ? 'choices' : options.length > 0 ? 'choice' : kindOf(field['type']),
      isRequired: required.includes(name),
      options,
      initial: field['default'],
    }
  })
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function kindOf(type: unknown): FormField['kind'] {
  return type === 'number' || type === 'integer' || type === 'boolean' ? type : 'text'
}

/** `enum` with `enumNames`, or `oneOf` and `anyOf` with titles. */
function optionsOf(field: Readonly<Record<string, unknown>>): FormField['options'] {
  const { enum: values, enumNames: labels, oneOf, anyOf } = field
  if (Array.isArray(values))
    return values.map((value, index) => ({
      value: String(value),
      label: (Array.isArray(labels) ? textOf(labels[index]) : undefined) ?? String(value),
    }))
  const titled = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : []
  return titled.filter(isRecord).map(({ const: value, title }) => ({ value: String(value), label: textOf(title) ?? String(value) })) // prettier-ignore
}

/** Reads the input as the field's value; a problem if it is none. Undefined: the field stays empty. */
export function readField(
  { kind, isRequired, options }: FormField,
  text: string,
): { readonly value?: unknown; readonly problem?: string } {
  const trimmed = text.trim()
  if (trimmed === '') return isRequired ? { problem: 'this field needs a value' } : {}
  if (kind === 'text') return { value: text }
  if (kind === 'choices') {
    const values = trimmed.split(',').map((part) => part.trim()).filter((part) => part !== '') // prettier-ignore
    const unknown = values.find((value) => options.length > 0 && !options.some((option) => option.value === value))
    return unknown === undefined ? { value: values } : { problem: `${unknown} is none of the choices` }
  }
  const number = Number(trimmed)
  if (!Number.isFinite(number) || (kind === 'integer' && !Number.isInteger(number)))
    return { problem: kind === 'integer' ? 'this field takes a whole number' : 'this field takes a number' }
  return { value: number }
}

/** One step of a form: what the person sees, and the pick `field` with the text or value. */
export interface FormStep {
  readonly head: string
  readonly message: string
  readonly field: FormField
  readonly position: string
  readonly problem?: string | undefined
}

export function stepContent({ head, message, field, position, problem }: FormStep): QuestionContent {
  const { title, description, isRequired, kind, options } = field
  const choices = choicesOfField(field)
  const hint =
    kind === 'choices' ? `several of ${options.map(({ value }) => value).join(', ')}, with commas between` : ''
  const words = [description, isRequired ? '' : 'Leave it empty to say nothing.', hint]
    .filter((part) => part !== '')
    .join(' ')
  const lines = [
    ...spanLines(message, 'strong'),
    [span(`${position} ${title}`, 'accent')],
    ...(words === '' ? [] : spanLines(words, 'dim')),
    ...(problem === undefined ? [] : [[span(problem, 'danger')]]),
  ]
  return {
    head,
    isApproval: false,
    lines: (columns) => lines.flatMap((line) => wrapLine(line, { columns })),
    choices,
    initial: Math.max(0, choices.findIndex(({ label }) => label === String(field.initial))), // prettier-ignore
    decline: { type: 'answer', outcome: { choice: 'cancel' } },
    textAnswer: (text) => ({ type: 'field', text }),
    unanswered: 'no',
  }
}

function choicesOfField({ kind, options, isRequired }: FormField): readonly Choice[] {
  const skip: Choice[] = isRequired ? [] : [{ label: 'Say nothing', picked: { type: 'field', text: '' } }]
  if (kind === 'boolean')
    return [
      { label: 'No', letter: 'n', picked: { type: 'field', text: 'false', value: false } },
      { label: 'Yes', letter: 'y', picked: { type: 'field', text: 'true', value: true } },
      ...skip,
    ]
  if (kind !== 'choice') return []
  return [
    ...options.map(({ value, label }): Choice => ({ label, picked: { type: 'field', text: value, value } })),
    ...skip,
  ]
}
