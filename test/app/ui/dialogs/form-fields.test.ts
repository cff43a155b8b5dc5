// Tests the fields of forms: what a schema asks for, and which answers fit.
import { describe, expect, it } from 'vitest'
import { choicesOf } from '../../../../app/ui/dialogs/choices.ts'
import { formFields, readField, stepContent } from '../../../../app/ui/dialogs/form-fields.ts'
import type { FormField } from '../../../../app/ui/dialogs/form-fields.ts'
import { questionContent } from '../../../../app/ui/dialogs/question-content.ts'

const schema = {
  type: 'object',
  required: ['name', 'age'],
  properties: {
    name: { type: 'string', title: 'Your name', description: 'as on the badge' },
    age: { type: 'integer', default: 30 },
    member: { type: 'boolean' },
    size: { type: 'string', enum: ['s', 'l'], enumNames: ['small', 'large'] },
    colour: { type: 'string', oneOf: [{ const: 'r', title: 'red' }, { const: 'g' }] },
    tags: { type: 'array', items: { enum: ['a', 'b'] } },
  },
}
const fields = formFields(schema)
const field = (name: string): FormField => {
  const found = fields.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no field ${name}`)
  return found
}

describe('the fields', () => {
  it('have the kinds, names and choices of the schema', () => {
    expect(fields.map(({ title, kind, isRequired }) => [title, kind, isRequired])).toEqual([
      ['Your name', 'text', true],
      ['age', 'integer', true],
      ['member', 'boolean', false],
      ['size', 'choice', false],
      ['colour', 'choice', false],
      ['tags', 'choices', false],
    ])
    expect(field('size').options).toEqual([
      { value: 's', label: 'small' },
      { value: 'l', label: 'large' },
    ])
    expect(field('colour').options.map(({ label }) => label)).toEqual(['red', 'g'])
  })

  it.each([undefined, null, 1, {}, { properties: [] }, { properties: 'x' }])('of %j are none', (broken) => {
    expect(formFields(broken)).toEqual([])
  })

  it.each<[string, string, object]>([
    ['name', 'Ada', { value: 'Ada' }],
    ['name', ' ', { problem: 'this field needs a value' }],
    ['age', '41', { value: 41 }],
    ['age', '4.5', { problem: 'this field takes a whole number' }],
    ['age', 'old', { problem: 'this field takes a whole number' }],
    ['tags', 'a, b', { value: ['a', 'b'] }],
    ['tags', 'a, c', { problem: 'c is none of the choices' }],
    ['tags', '', {}],
  ])('read %s from “%s”', (name, text, result) => {
    expect(readField(field(name), text)).toEqual(result)
  })
})

describe('a step', () => {
  const step = (name: string) => stepContent({ head: 'H', message: 'M', field: field(name), position: '1 of 6:' })

  it('is a text, or its choices; an optional one can stay empty', () => {
    expect(step('name').choices).toEqual([])
    expect(step('name').textAnswer('Ada')).toEqual({ type: 'field', text: 'Ada' })
    expect(step('member').choices.map(({ label }) => label)).toEqual(['No', 'Yes', 'Say nothing'])
    expect(step('size').choices.map(({ picked }) => picked)).toEqual([
      { type: 'field', text: 's', value: 's' },
      { type: 'field', text: 'l', value: 'l' },
      { type: 'field', text: '' },
    ])
    expect(step('name').decline).toEqual({ type: 'answer', outcome: { choice: 'cancel' } })
  })
})

describe('a question of an MCP server', () => {
  const question = {
    type: 'question' as const,
    requestId: 'abcdefghijklmnopqrstuvwxyz',
    kind: 'url',
    source: 'mcp:issues',
    text: 'Sign in',
    url: 'https://evil.example/login?at=github.com',
    choices: ['accept', 'decline', 'cancel'],
  }

  it('names the server, has no first, and shows the host of its page before the address', () => {
    const content = questionContent(question)
    expect([content.head, content.isApproval]).toEqual(['The MCP server “issues” asks', false])
    expect(choicesOf(question).map(({ picked }) => picked)).toEqual(
      ['decline', 'accept', 'cancel'].map((choice) => ({ type: 'answer', outcome: { choice } })),
    )
    const lines = content.lines(60).map((line) => line.map(({ text }) => text).join(''))
    expect(lines).toEqual(['Sign in', 'A page of evil.example:', 'https://evil.example/login?at=github.com'])
    expect(questionContent({ ...question, source: 'mcp:core' }).head).toContain('MCP server')
  })
})
