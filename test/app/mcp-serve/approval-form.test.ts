// Tests how the form of a question and its answer are bounded.
import { expect, it } from 'vitest'
import { questionForm, readAnswer } from '../../../app/mcp-serve/approval-form.ts'
import type { Question } from '../../../app/mcp-serve/agent-run.ts'

const question: Question = {
  ...{ type: 'ui_request', requestId: 'a'.repeat(26), kind: 'approval', source: 'core' },
  text: `x${'😀'.repeat(5_000)}`,
}

it('cuts a long question between two characters', () => {
  expect(questionForm(question).message).toBe(`x${'😀'.repeat(3_999)}`)
})

it('cuts a long reason between two characters', () => {
  const content = { answer: 'deny', reason: `x${'😀'.repeat(2_000)}` }
  expect(readAnswer(question, { action: 'accept', content })).toEqual({ outcome: 'deny', text: `x${'😀'.repeat(999)}` })
})
