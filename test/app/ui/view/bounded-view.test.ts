// Tests that the size of a view is bounded in long sessions.
import { describe, expect, it } from 'vitest'
import { foldView } from '../../../../app/ui/view/fold-view.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { View } from '../../../../app/ui/view/view.ts'
import { sampleSize } from '../../../support/sample-size.ts'
import { answerOf, notices } from './view-scene.ts'

const pieces = 100
const text = 'Twenty characters.\n\n'

/** The events of one prompt and its answer. */
function exchange(view: View, number: number): View {
  const [question, entryId] = [`question-${number}`, `answer-${number}`]
  const workspace = { parentId: null }
  const whole = answerOf([{ type: 'text', text: text.repeat(pieces) }])
  const requests = { role: 'user', content: 'go on', timestamp: 0 } as const
  const begin = { type: 'text_start', contentIndex: 0 } as const
  const inputs = [
    notices({ type: 'message_end', ...workspace, entryId: question, message: requests }),
    notices({ type: 'message_start', ...workspace, entryId, message: answerOf([]) }),
    notices({ type: 'message_update', entryId, delta: begin }),
    ...Array.from({ length: pieces }, (_, index) => {
      const delta = { type: 'text_delta', contentIndex: 0, offset: index * text.length, text } as const
      return notices({ type: 'message_update', entryId, delta })
    }),
    notices({ type: 'message_update', entryId, delta: { type: 'text_end', contentIndex: 0 } }),
    notices({ type: 'message_end', ...workspace, entryId, message: whole }),
  ]
  return inputs.reduce(foldView, view)
}

describe('the view of a long session', () => {
  const messages = sampleSize(300, 1_000)

  it(`has the same size after 100 messages and after ${messages} of 100 pieces each`, () => {
    let view = emptyView()
    const sizes: number[] = []
    for (let number = 100; number < 100 + messages; number += 1) {
      view = exchange(view, number)
      if (number === 199 || number === 99 + messages) sizes.push(JSON.stringify(view).length)
    }
    expect(view.finishedCount).toBe(messages * (pieces + 1))
    expect(view.finished).toHaveLength(400)
    expect(sizes[1]).toBeLessThan(1.05 * (sizes[0] ?? 0)) // the ids grow by one digit
  })
})

it('holds the last 100 texts for the editor, each with a number of its own', () => {
  const texts = Array.from({ length: 130 }, (_, index) => `text ${index + 1}`)
  const { drafts } = texts.reduce((view, each) => foldView(view, { type: 'draft', text: each }), emptyView())
  expect(drafts.map(({ text: each, revision }) => [each, revision])).toEqual(
    texts.slice(-100).map((each, index) => [each, index + 31]),
  )
})

it('drops texts that the editor has, and goes on numbering', () => {
  const inputs = [
    { type: 'draft', text: 'one', images: [] },
    { type: 'draft', text: 'two' },
    { type: 'drafts_taken', revision: 1 },
    { type: 'draft', text: 'three' },
    { type: 'drafts_taken', revision: 3 },
    { type: 'draft', text: 'four' },
  ] as const
  const views = inputs.map((_, index) => inputs.slice(0, index + 1).reduce(foldView, emptyView()))
  const textsOf = views.map(({ drafts }) => drafts.map(({ text: each, revision }) => `${revision} ${each}`))
  expect(textsOf.slice(2)).toEqual([['1 ', '2 two'], ['1 ', '2 two', '3 three'], ['3 '], ['3 ', '4 four']])
})
