// Tests the comparison of a request's content with the recorded content.
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { sameContent } from '../../../lib/providers/offline/replay.ts'
import type { UserContent } from '../../../lib/streams/messages/message.ts'

const bytes = Buffer.from('an image')
const blob = createHash('sha256').update(bytes).digest('hex')
const image: UserContent = { type: 'image', mimeType: 'image/png', data: bytes.toString('base64') }
const named: UserContent = { type: 'image', mimeType: 'image/png', blob, bytes: bytes.length }
const text: UserContent = { type: 'text', text: 'an image' }
const beginning: UserContent = { type: 'text', text: 'an', blob, bytes: bytes.length }

it.each<[string, string | readonly UserContent[], string | readonly UserContent[], boolean]>([
  ['equal texts', 'a', 'a', true],
  ['a text and a list', 'a', [text], false],
  ['equal parts', [text, image], [text, image], true],
  ['other lengths', [text], [text, image], false],
  ['an image and its name', [image], [named], true],
  ['a text and its name', [text], [beginning], true],
  ['two names', [named], [named], true],
  ['another image', [{ ...image, data: 'AAAA' }], [named], false],
  ['another type of image', [{ ...image, mimeType: 'image/gif' }], [named], false],
  ['an image and a text of the same bytes', [image], [beginning], false],
  ['an image without anything', [{ type: 'image', mimeType: 'image/png' }], [named], false],
  ['another text', [{ ...text, text: 'b' }], [text], false],
])('compares %s', (_, notices, recorded, isSame) => {
  expect(sameContent(notices, recorded)).toBe(isSame)
})
