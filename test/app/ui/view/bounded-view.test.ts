// Tests that the size of a view is bounded in long sessions.
import { describe, expect, it } from 'vitest'
import { foldView } from '../../../../app/ui/view/fold-view.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { View } from '../../../../app/ui/view/view.ts'
import { answerOf, told } from './view-scene.ts'

const pieces = 100
const text = 'Twenty characters.\n\n'

/** The events of one prompt and its answer. */
function exchange(view: View, number: number): View {
  const [question, entryId] = [`question-${number}`, `answer-${number}`]
  const place = { parentId: null }
  const whole = answerOf([{ type: 'text', text: text.repeat(pieces) }])
  const asked = { role: 'user', content: 'go on', timestamp: 0 } as const
  const begin = { type: 'text_start', contentIndex: 0 } as const
  const inputs = [
    told({ type: 'message_end', ...place, entryId: question, message: asked }),
    told({ type: 'message_start', ...place, entryId, message: answerOf([]) }),
    told({ type: 'message_update', entryId, delta: begin }),
    ...Array.from({ length: pieces }, (_, index) => {
      const delta = { type: 'text_delta', contentIndex: 0, offset: index * text.length, text } as const
      return told({ type: 'message_update', entryId, delta })
    }),
    told({ type: 'message_update', entryId, delta: { type: 'text_end', contentIndex: 0 } }),
    told({ type: 'message_end', ...place, entryId, message: whole }),
  ]
  return inputs.reduce(foldView, view)
}

describe('the view of a long session', () => {
  it('has the same size after 100 messages and after 1,000 of 100 pieces each', () => {
    let view = emptyView()
    const sizes: number[] = []
    for (let number = 100; number < 1_100; number += 1) {
      view = exchange(view, number)
      sizes.push(JSON.stringify(view).length)
    }
    expect(view.finishedCount).toBe(1_000 * (pieces + 1))
    expect(view.finished).toHaveLength(400)
    expect(sizes[999]).toBeLessThan(1.05 * (sizes[99] ?? 0)) // the ids grow by one digit
  })
})
