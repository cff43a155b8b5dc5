// Tests `promptSection`, which changes one section of a system prompt.
import { map, pipe } from 'rxjs'
import { describe, it } from 'vitest'
import { promptSection } from '../../../lib/operators/context/prompt-section.ts'
import { joinSections } from '../../../lib/streams/ports/prompt-sections.ts'
import type { PromptSections, PromptTransform } from '../../../lib/streams/ports/prompt-sections.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { marbles } from '../../../lib/testing/marbles.ts'

const a: PromptSections = [
  { name: 'preamble', text: 'You help.' },
  { name: 'rules', text: '- Be brief.' },
]
const c: PromptSections = [{ name: 'rules', text: '' }]
const loud = (text: string): string => `${text}!`
const b: PromptSections = [
  { name: 'preamble', text: 'You help.' },
  { name: 'rules', text: '- Be brief.!' },
]
const d: PromptSections = [{ name: 'rules', text: '!' }]
const values = { a, b, c, d }

describe('promptSection', () => {
  it.each([
    ['stays open if no sections come', '---', '---', '^'],
    ['completes without sections', '--|', '--|', '^-!'],
    ['changes each value', '-a-c|', '-b-d|', '^---!'],
    ['fails with its source', '-a-#', '-b-#', '^--!'],
  ])('%s', (_, marble, expected, subscription) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold(marble, values)
      expectObservable(source$.pipe(promptSection('rules', loud))).toBe(expected, values)
      expectSubscriptions(source$.subscriptions).toBe(subscription)
    })
  })

  it('unsubscribes its source when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-a-a-a', values)
      expectObservable(source$.pipe(promptSection('rules', loud)), '^--!').toBe('-b--', values)
      expectSubscriptions(source$.subscriptions).toBe('^--!')
    })
  })

  const thrown = new Error('no')
  it.each<[string, PromptTransform, unknown]>([
    [
      'fails with what the function throws',
      promptSection('rules', () => {
        throw thrown
      }),
      thrown,
    ],
    [
      'names the sections if the place is not there',
      promptSection('team', 'We', { after: 'nowhere' }),
      new Failure('bad_request', 'promptSection: there is no section "nowhere"; sections: preamble, rules'),
    ],
  ])('%s', (_, transform, error) => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('-a-', values).pipe(transform)).toBe('-#', values, error)
    })
  })

  it.each<[string, PromptTransform, string]>([
    ['replaces a section in its place', promptSection('preamble', 'You test.'), 'You test.\n\n- Be brief.'],
    ['extends a section', promptSection('rules', (text) => `${text}\n- Test.`), 'You help.\n\n- Be brief.\n- Test.'],
    ['removes a section by an empty text', promptSection('preamble', ''), '- Be brief.'],
    ['adds a section at the end', promptSection('team', 'We.'), 'You help.\n\n- Be brief.\n\nWe.'],
    [
      'adds a section before another',
      promptSection('team', 'We.', { before: 'rules' }),
      'You help.\n\nWe.\n\n- Be brief.',
    ],
    [
      'adds a section behind another',
      promptSection('team', 'We.', { after: 'preamble' }),
      'You help.\n\nWe.\n\n- Be brief.',
    ],
    [
      'applies in a pipe, one after another',
      pipe(
        promptSection('team', 'We.'),
        promptSection('team', (text) => `${text} Us.`),
        promptSection('rules', ''),
      ),
      'You help.\n\nWe. Us.',
    ],
  ])('%s', (_, transform, expected) => {
    marbles(({ cold, expectObservable }) => {
      const prompt$ = cold('(a|)', values).pipe(transform, map(joinSections))
      expectObservable(prompt$).toBe('(r|)', { r: expected })
    })
  })
})
