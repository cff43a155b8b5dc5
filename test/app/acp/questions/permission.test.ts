// Tests how questions become permission requests and elicitations, and what their answers become.
import { describe, expect, it } from 'vitest'
import { elicitationFor } from '../../../../app/acp/questions/elicitation.ts'
import { permissionFor, refusalOf } from '../../../../app/acp/questions/permission.ts'
import type { Question } from '../../../../app/acp/questions/permission.ts'

const requestId = 'a'.repeat(26)
const base = { requestId, source: 'core', text: 'Run it?' }
const approval: Question = {
  ...{ type: 'question', ...base, kind: 'approval', choices: ['once', 'session', 'always', 'deny'] },
  ...{
    toolCallId: 'call-1',
    tool: 'write',
    args: { path: 'a.txt' },
    reason: 'It changes a file',
    pattern: 'write(*.txt)',
  },
  diff: '--- a.txt\n+++ a.txt\n@@ -1,1 +1,2 @@\n one\n+two\n',
}
const ask = (
  more: Omit<Extract<Question, { type: 'ui_request' }>, 'type' | 'requestId' | 'source' | 'text'>,
): Question => ({
  ...{ type: 'ui_request', ...base },
  ...more,
})
const question = (
  more: Omit<Extract<Question, { type: 'question' }>, 'type' | 'requestId' | 'source' | 'text'>,
): Question => ({
  ...{ type: 'question', ...base },
  ...more,
})

describe('a question with choices', () => {
  it('has the start of its first line as its title, cut between two characters', () => {
    const permission = permissionFor(question({ kind: 'plan', text: `${'x'.repeat(199)}😀` } as never), 's', '/project')
    expect(permission?.request.toolCall.title).toBe('x'.repeat(199))
  })

  it('is a permission request about its call [ACP-questions, ACP-client-permission]', () => {
    const permission = permissionFor(approval, 's', '/project')
    expect(permission?.request).toEqual({
      sessionId: 's',
      options: [
        { optionId: 'deny', name: 'No', kind: 'reject_once' },
        { optionId: 'once', name: 'Yes, this once', kind: 'allow_once' },
        { optionId: 'session', name: 'Yes, for the rest of this session', kind: 'allow_always' },
        { optionId: 'always', name: 'Yes, always for write(*.txt)', kind: 'allow_always' },
      ],
      toolCall: {
        ...{ toolCallId: 'call-1', title: 'write a.txt', kind: 'edit', status: 'pending' },
        content: [
          { type: 'content', content: { type: 'text', text: 'It changes a file' } },
          { type: 'diff', path: '/project/a.txt', oldText: 'one\n', newText: 'one\ntwo\n' },
        ],
        locations: [{ path: '/project/a.txt' }],
        rawInput: { path: 'a.txt' },
      },
    })
    expect(permission?.answer('always')).toEqual({ outcome: { choice: 'always', pattern: 'write(*.txt)' } })
    expect(permission?.answer('session')).toEqual({ outcome: { choice: 'session' } })
  })

  it.each<[string, Question, string | undefined, unknown]>([
    ['an unknown option', approval, 'sudo', { choice: 'deny' }],
    ['no option', approval, undefined, { choice: 'deny' }],
    ['an older approval', ask({ kind: 'approval', choices: ['once', 'project', 'deny'] }), 'project', 'project'],
    ['no to it', ask({ kind: 'approval' }), 'deny', 'deny'],
    ['yes', ask({ kind: 'confirm' }), 'yes', true],
    ['a closed confirmation', ask({ kind: 'confirm' }), undefined, false],
    ['a selection', ask({ kind: 'select', options: ['red', 'blue'] }), 'blue', 'blue'],
    ['no selection', ask({ kind: 'select', options: ['red'] }), undefined, null],
    ['an accepted plan', question({ kind: 'plan' }), 'accept', { choice: 'accept' }],
    ['a closed plan', question({ kind: 'plan', default: { choice: 'reject' } }), undefined, { choice: 'reject' }],
    ['a phase', question({ kind: 'phase' }), 'enter', { choice: 'enter' }],
    ['choices of an extension', question({ kind: 'colour', choices: ['a', 'b'] }), 'b', { choice: 'b' }],
  ])('%s has the outcome that the session takes [ACP-questions]', (_, each, optionId, outcome) => {
    expect(permissionFor(each, 's', '/project')?.answer(optionId)).toEqual({ outcome })
  })
})

describe('a question without choices', () => {
  const features = { forms: true, pages: true }
  const schema = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] }
  const form = question({ kind: 'form', schema })
  const page = question({ kind: 'url', url: 'https://x.example/sign' })

  it.each([ask({ kind: 'input' }), form, page, question({ kind: 'multi', options: ['a'] })])(
    '%j is no permission request',
    (each) => {
      expect(permissionFor(each, 's', '/project')).toBeUndefined()
    },
  )

  it.each([
    [form, { forms: false, pages: true }],
    [page, { forms: true, pages: false }],
    [ask({ kind: 'input' }), { forms: false, pages: true }],
  ])('%j is no elicitation for an editor with %j', (each, shown) => {
    expect(elicitationFor(each, 's', shown)).toBeUndefined()
  })

  it('is a form or a page, as the editor shows it [ACP-questions, ACP-client-elicitation]', () => {
    expect(elicitationFor(form, 's', features)?.request).toEqual({
      ...{ mode: 'form', sessionId: 's', message: 'Run it?', requestedSchema: schema },
    })
    expect(elicitationFor(page, 's', features)?.request).toEqual({
      ...{ mode: 'url', sessionId: 's', message: 'Run it?', elicitationId: requestId, url: 'https://x.example/sign' },
    })
  })

  it.each<[string, Question, { action: string; content?: Record<string, string | number> }, unknown]>([
    ['a text', ask({ kind: 'input' }), { action: 'accept', content: { answer: 'blue' } }, 'blue'],
    ['no text', ask({ kind: 'input' }), { action: 'cancel' }, null],
    ['a number for a text', ask({ kind: 'input' }), { action: 'accept', content: { answer: 5 } }, null],
    [
      'a text of an editor',
      question({ kind: 'editor' }),
      { action: 'accept', content: { answer: 'x' } },
      { choice: 'answer', text: 'x' },
    ],
    ['a form', form, { action: 'accept', content: { age: 5 } }, { choice: 'accept', values: { age: 5 } }],
    ['a declined form', form, { action: 'decline' }, { choice: 'decline' }],
    ['an opened page', page, { action: 'accept' }, { choice: 'accept' }],
    ['a closed page', page, { action: 'whatever' }, { choice: 'cancel' }],
  ])('%s has the outcome that the session takes [ACP-questions]', (_, each, response, outcome) => {
    expect(elicitationFor(each, 's', features)?.answer(response)).toEqual({ outcome })
  })

  it('is refused with a word only if the session takes one', () => {
    expect(refusalOf(approval, 'no')).toEqual({ outcome: { choice: 'deny', text: 'no' } })
    expect(refusalOf(ask({ kind: 'approval' }), 'no')).toEqual({ outcome: 'deny', text: 'no' })
    expect(refusalOf(ask({ kind: 'input' }), 'no')).toEqual({ outcome: null })
  })
})
