// Tests the dialogs of a plan and of a step that adds power: their answers, and the safe one first.
import { describe, expect, it } from 'vitest'
import { choicesOf, declineAnswer, initialChoice } from '../../../../app/ui/dialogs/choices.ts'
import { questionContent } from '../../../../app/ui/dialogs/question-content.ts'
import type { EventNamed } from '../../../../lib/streams/events/event.ts'

const plan: EventNamed<'question'> = {
  type: 'question',
  requestId: 'req_1',
  kind: 'plan',
  source: 'core',
  text: '# Goal\n\n- change a',
  choices: ['accept', 'reject'],
  default: { choice: 'reject' },
  tool: 'propose_plan',
}
const outcome = (picked: unknown): unknown => (picked as { readonly outcome?: unknown }).outcome

describe('the dialog of a plan', () => {
  it('begins with the answer that changes nothing, which Esc gives too', () => {
    const choices = choicesOf(plan)
    expect(choices.map(({ label, letter }) => [letter, label])).toEqual([
      ['n', 'Go on planning'],
      ['m', 'Go on planning, and say what is missing'],
      ['y', 'Yes, carry it out'],
      ['e', 'Yes, with changes'],
    ])
    expect(outcome(choices[initialChoice(plan, choices)]?.picked)).toEqual({ choice: 'reject' })
    expect(outcome(declineAnswer(plan))).toEqual({ choice: 'reject' })
    expect(outcome(choices[2]?.picked)).toEqual({ choice: 'accept' })
  })

  it('sends a changed plan, and none that stayed as it was', () => {
    const edit = choicesOf(plan)[3]?.typed
    expect(edit?.initial).toBe(plan.text)
    expect(outcome(edit?.answer('- change b'))).toEqual({ choice: 'accept', text: '- change b' })
    expect(outcome(edit?.answer(plan.text))).toEqual({ choice: 'accept' })
    expect(outcome(choicesOf(plan)[1]?.typed?.answer('And c?'))).toEqual({ choice: 'reject', text: 'And c?' })
  })

  it('draws the plan as Markdown under a head of its own', () => {
    const content = questionContent(plan)
    expect(content.head).toBe('THE PLAN — nothing has changed yet')
    expect(content.isApproval).toBe(false)
    expect(
      content
        .lines(40)
        .map((line) => line.map(({ text }) => text).join(''))
        .join('\n'),
    ).toMatch(/^# ?Goal|^Goal/)
  })
})

it('the dialog of a step that adds power stays by default', () => {
  const step: EventNamed<'question'> = { ...plan, kind: 'phase', text: 'May it go on?', choices: ['stay', 'enter'], default: { choice: 'stay' } } // prettier-ignore
  const choices = choicesOf(step)
  expect(choices.map(({ picked }) => outcome(picked))).toEqual([{ choice: 'stay' }, { choice: 'enter' }])
  expect(outcome(choices[initialChoice(step, choices)]?.picked)).toEqual({ choice: 'stay' })
  expect(outcome(declineAnswer(step))).toEqual({ choice: 'stay' })
})
