// Tests how a long text result is cut.
import { describe, expect, it } from 'vitest'
import { limitResult } from '../../../lib/operators/tool-calls/limit-result.ts'
import type { UserContent } from '../../../lib/streams/messages/message.ts'
import { errorResult, textResult } from '../../../lib/streams/ports/tool.ts'

const image: UserContent = { type: 'image', data: 'A'.repeat(1_000), mimeType: 'image/png' }

function texts(...content: readonly (string | UserContent)[]) {
  const blocks = content.map((block) => (typeof block === 'string' ? { type: 'text' as const, text: block } : block))
  return { ...textResult(''), content: blocks }
}

function notice(bytes: number, most = 10): string {
  return `[Cut: this result has ${bytes} bytes of text, and the first ${most} are above. Ask for less, or for a part.]`
}

describe('limitResult', () => {
  it.each([
    ['whole lines', texts('one\ntwo\nthree\n'), texts('one\ntwo\n', notice(14))],
    ['a long line', texts('abcdefghijkl'), texts('abcdefghij', notice(12))],
    ['no half character', texts('ééééé€'), texts('ééééé', notice(13))],
    ['over several blocks', texts('12345678', '1234', '5'), texts('12345678', '12', notice(13))],
    ['no block after the cut', texts('1234567890', 'a\n', 'b'), texts('1234567890', notice(13))],
    ['never an image', texts('12345678901', image), texts('1234567890', image, notice(11))],
  ])('cuts %s', (_, result, cut) => {
    expect(limitResult(result, { maxResultBytes: 10 })).toEqual(cut)
  })

  it.each([
    ['a text of the limit', texts('1234567890')],
    ['an image', texts(image)],
    ['no content', texts()],
    ['content of another shape', { ...texts(), content: 'text' as never }],
  ])('leaves %s', (_, result) => {
    expect(limitResult(result, { maxResultBytes: 10 })).toBe(result)
  })

  it.each([0, -1, NaN])('cuts nothing with the limit %d', (maxResultBytes) => {
    const result = texts('x'.repeat(60_000))
    expect(limitResult(result, { maxResultBytes })).toBe(result)
  })

  it('keeps the other fields', () => {
    const result = errorResult('x'.repeat(11), { details: { lines: 1 }, terminate: true })
    expect(limitResult(result, { maxResultBytes: 10 })).toMatchObject({
      isError: true,
      details: { lines: 1 },
      terminate: true,
    })
  })
})
