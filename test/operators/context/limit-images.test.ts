// Tests `limitImages`, which limits the number of images in a request.
import { describe, expect, it } from 'vitest'
import { limitImages } from '../../../lib/operators/context/trim-messages.ts'
import type { UserContent } from '../../../lib/streams/messages/message.ts'
import { assistant, toolResult, user } from '../../streams/events/samples.ts'
import { behavesAsTransform, contextOf, applyTransform } from './context-samples.ts'

const image: UserContent = { type: 'image', mimeType: 'image/png', data: 'AAAA' }
const text: UserContent = { type: 'text', text: 'see' }
const removedImage: UserContent = { type: 'text', text: '[An earlier image (image/png) is left out here]' }

describe('limitImages', () => {
  const shown = contextOf([user([text, image, image]), assistant(), toolResult({ content: [image] })])
  behavesAsTransform(
    () => limitImages({ keep: 2 }),
    shown,
    { ...shown, messages: [user([text, removedImage, image]), ...shown.messages.slice(1)] },
    contextOf([user('only text'), user([image]), toolResult({ content: [image] })]),
  )

  it.each([
    [0, [removedImage, removedImage], [removedImage]],
    [1, [removedImage, removedImage], [image]],
    [2, [removedImage, image], [image]],
    [3, [image, image], [image]],
    [4, [image, image], [image]],
  ])('keeps the latest %i images', (keep, earlier, showed) => {
    const { messages } = applyTransform(limitImages({ keep }), shown)
    expect(messages).toEqual([user([text, ...earlier]), assistant(), toolResult({ content: showed })])
  })

  it.each([-1, 0.5, NaN])('throws bad_request for keep %d', (keep) => {
    expect(() => limitImages({ keep })).toThrow(expect.objectContaining({ code: 'bad_request' }) as Error)
  })
})
