// Draws a question of rxpi as a form: what it is about, the fields of its schema, a button for each answer.
import { drawArguments, drawDiff, element } from './transcript.js'

/** @param onAnswer gets the `outcome` of `ui_response`, and the text beside it */
export function drawQuestion(event, onAnswer) {
  const { requestId, kind, text, reason, args, diff, pattern, url, schema } = event
  const fields = Object.entries(schema?.properties ?? {}).map(([name, field], index) =>
    drawField(`f-${requestId}-${index}`, name, field, schema.required?.includes(name) === true),
  )
  const reply = element('input', { id: `r-${requestId}`, autocomplete: 'off' })
  const send = (answer) => {
    const typed = reply.value.trim()
    const more = typed !== '' && ['deny', 'reject'].includes(answer) ? { text: typed } : {}
    if (event.type !== 'question') return onAnswer(kind === 'input' ? typed : answer, more)
    if (answer === 'accept' && !fields.map(check).every(Boolean))
      return fields.find(({ input }) => !input.validity.valid).input.focus()
    const values = fields.map(({ name, read }) => [name, read()]).filter(([, value]) => value !== undefined)
    const form = answer === 'accept' && schema !== undefined ? { values: Object.fromEntries(values) } : {}
    const rule = answer === 'always' && pattern !== undefined ? { pattern } : {}
    return onAnswer({ choice: answer, ...rule, ...form, ...more }, {})
  }
  const buttons = answersOf(event).map(([label, answer]) =>
    element('button', { type: 'button', onclick: ({ detail }) => detail < 2 && send(answer) }, label),
  )
  const link = { href: url, target: '_blank', rel: 'noopener noreferrer' }
  const label = kind === 'input' ? 'Answer' : 'A message if you refuse (optional)'
  return element(
    'fieldset',
    { id: `q-${requestId}` },
    element('legend', {}, text),
    ...(reason === undefined ? [] : [element('p', {}, reason)]),
    ...(diff !== undefined ? [drawDiff(diff)] : args !== undefined ? [drawArguments(args)] : []),
    ...(pattern === undefined ? [] : [element('p', {}, `“always” adds the rule ${pattern}`)]),
    ...(/^https?:/.test(url ?? '') ? [element('a', link, url)] : []),
    ...fields.flatMap(({ nodes }) => nodes),
    ...(['approval', 'plan', 'input'].includes(kind) ? [element('label', { htmlFor: reply.id }, label), reply] : []),
    element('p', { className: 'buttons' }, ...buttons),
  )
}

/** The labels and answers of the buttons. */
function answersOf({ kind, choices, options }) {
  if (choices !== undefined || options !== undefined) return (choices ?? options).map((choice) => [choice, choice])
  if (kind === 'confirm') return Object.entries({ yes: true, no: false })
  return kind === 'input' ? [['answer', '']] : []
}

const types = { number: 'number', integer: 'number', email: 'email', uri: 'url', date: 'date', boolean: 'checkbox' }
const limits = { minimum: 'min', maximum: 'max', minLength: 'minlength', maxLength: 'maxlength' }
/** A field of the schema with its label and the place of its error; `read` gives its value. */
function drawField(id, name, schema, required) {
  const { title = name, description = '', type, format, items, default: initial } = schema
  const { enum: values, enumNames = values, oneOf = items?.anyOf } = { ...schema, ...items }
  const options = oneOf?.map((each) => [each.const, each.title]) ?? values?.map((value, at) => [value, enumNames[at]])
  const input = element(options ? 'select' : 'input', { id, required: required && type !== 'boolean' })
  if (options) input.multiple = type === 'array'
  else Object.assign(input, { type: types[format] ?? types[type] ?? 'text', checked: initial === true })
  if (options && type !== 'array' && !required) input.append(element('option', { value: '' }))
  input.append(...(options ?? []).map(([value, label = value]) => element('option', { value }, label)))
  if (type === 'number') input.step = 'any'
  for (const [key, attribute] of Object.entries(limits)) if (key in schema) input.setAttribute(attribute, schema[key])
  if (type !== 'boolean' && type !== 'array') input.value = initial ?? ''
  const error = element('p', { id: `${id}-error` })
  input.setAttribute('aria-describedby', error.id)
  const label = element('label', { htmlFor: id }, required ? title : `${title} (optional)`)
  const read = () => {
    if (type === 'boolean') return input.checked
    if (type === 'array' && options) return [...input.selectedOptions].map(({ value }) => value)
    if (input.value === '') return undefined
    return input.type === 'number' ? input.valueAsNumber : input.value
  }
  return { name, input, error, read, nodes: [label, element('p', {}, description), input, error] }
}
/** Shows the error of a field, which a screen reader reads with the field. */
function check({ input, error }) {
  input.ariaInvalid = String(!input.validity.valid)
  error.textContent = input.validationMessage
  return input.validity.valid
}
