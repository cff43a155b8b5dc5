// Tests what a template's file says about it.
import { describe, expect, it } from 'vitest'
import { builtInTemplates } from '../../../lib/context/templates/built-in-templates.ts'
import { parseTemplate } from '../../../lib/context/templates/parse-template.ts'

const parse = (body: string, fields: Readonly<Record<string, unknown>> = {}, file = '/p/fix-bug.md') =>
  parseTemplate(file, { body, fields })

describe('parseTemplate', () => {
  it('has the name of its file, and a description from frontmatter or first line', () => {
    expect(parse('# Fix it\n\nnow').template).toEqual({
      name: 'fix-bug',
      description: 'Fix it',
      body: '# Fix it\n\nnow',
    })
    expect(parse('x', { description: 'a\n b\u202e', 'argument-hint': ['file'] }).template).toMatchObject({
      description: 'a b',
      argument: '[file]',
    })
    expect(parse('x'.repeat(500)).template?.description).toHaveLength(200)
  })

  it.each([
    ['/p/9 lives.md', 'x', 'cannot be typed'],
    ['/p/a.md', ' \n', 'no text'],
  ])('refuses %j with %j', (file, body, message) => {
    expect(parse(body, {}, file)).toEqual({
      problems: [{ path: file, level: 'error', message: expect.stringContaining(message) as unknown }],
    })
  })

  it('warns that a command in it is not run, and ignores what would grant something', () => {
    const { template, problems } = parse('State: !`git status`', { 'allowed-tools': 'Bash(*)', model: 'x' })
    expect(template).toEqual({ name: 'fix-bug', description: 'State: !`git status`', body: 'State: !`git status`' })
    expect(problems).toMatchObject([{ level: 'warning', message: expect.stringContaining('is not run') as unknown }])
  })
})

describe('built-in templates', () => {
  it('are init, review and commit, each with description and text', () => {
    expect(builtInTemplates.map(({ name }) => name)).toEqual(['init', 'review', 'commit'])
    for (const { description, body } of builtInTemplates) expect([description, body]).not.toContain('')
  })
})
