// Tests what is right and wrong about the head of a SKILL.md.
import { describe, expect, it } from 'vitest'
import { parseSkill } from '../../../lib/context/skills/parse-skill.ts'

const file = '/s/pdf/SKILL.md'
const parse = (fields: Readonly<Record<string, unknown>>) => parseSkill(file, { fields })
const messages = (fields: Readonly<Record<string, unknown>>) => parse(fields).problems.map(({ message }) => message)

describe('parseSkill', () => {
  it('takes name, description and path, and nothing that grants', () => {
    expect(parse({ name: 'pdf', description: 'Reads\n  PDFs.\u200b', 'allowed-tools': 'Bash(*)' })).toEqual({
      skill: { name: 'pdf', description: 'Reads PDFs.', path: file, isForModel: true },
      problems: [],
    })
    expect(parse({ name: 'pdf', description: 'x', 'disable-model-invocation': true }).skill?.isForModel).toBe(false)
  })

  it.each([
    [{ name: 'pdf' }, 'no description'],
    [{ name: 'pdf', description: ' ' }, 'empty'],
    [{ name: 'pdf', description: ['x'] }, 'not a text'],
    [{ name: 'a b', description: 'x' }, 'cannot be typed'],
    [{ name: '../up', description: 'x' }, 'cannot be typed'],
  ])('does not use %j [CONTEXT-commands-problems]', (fields, message) => {
    expect(parse(fields)).toEqual({
      problems: [{ path: file, level: 'error', message: expect.stringContaining(message) as unknown }],
    })
  })

  it.each([
    [{ description: 'x' }, 'no name'],
    [{ name: 'PDF', description: 'x' }, 'other characters'],
    [{ name: 'pdf--x', description: 'x' }, 'two in a row'],
    [{ name: 'x'.repeat(65), description: 'x' }, '65 characters'],
    [{ name: 'other', description: 'x' }, 'not that of its folder, pdf'],
    [{ name: 'pdf', description: 'x'.repeat(1_025) }, '1025 characters'],
    [{ name: 'pdf', description: 'x', author: 'me' }, 'author: no field'],
  ])('uses %j with a warning [CONTEXT-commands-problems]', (fields, message) => {
    expect(parse(fields).skill).toBeDefined()
    expect(messages(fields)).toContainEqual(expect.stringContaining(message))
    expect(parse(fields).problems.every(({ level }) => level === 'warning')).toBe(true)
  })
})
