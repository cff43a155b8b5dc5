// Tests the detection of an image's type from its bytes.
import { describe, expect, it } from 'vitest'
import { detectImageType } from '../../../lib/streams/values/image-type.ts'

const bytes = (latin1: string) => Uint8Array.from(latin1, (character) => character.charCodeAt(0))

describe('detectImageType', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n…', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['\xff\xd8\xff', 'image/jpeg'],
    ['GIF87a', 'image/gif'],
    ['GIF89a and more', 'image/gif'],
    ['RIFF\x01\x02\x03\x04WEBPVP8 ', 'image/webp'],
  ])('of %j is %s', (head, type) => {
    expect(detectImageType(bytes(head))).toBe(type)
  })

  it.each(['', 'G', 'GIF8 is older', 'Convert WEBP files', 'RIFF\x01\x02\x03\x04WAVE', 'PNG', '\x89PNG\n', '<svg/>'])(
    'of %j is undefined',
    (head) => {
      expect(detectImageType(bytes(head))).toBe(undefined)
    },
  )
})
