// Tests how input with pictures becomes units of the editor.
import { describe, expect, it } from 'vitest'
import { textOfUnits, unitsOfInput } from '../../../../app/ui/editor/unit.ts'

const image = (data: string) => ({ type: 'image', data, mimeType: 'image/png' }) as const

describe('unitsOfInput', () => {
  it('inserts images at their labels, the others at the end', () => {
    const units = unitsOfInput('see [image #7: a.png] here', [image('a'), image('b')], 3)
    expect(units.filter((unit) => typeof unit !== 'string')).toEqual([
      { kind: 'image', number: 4, name: 'a.png', image: image('a') },
      { kind: 'image', number: 5, name: 'picture', image: image('b') },
    ])
    expect(textOfUnits(units)).toBe('see [image #4: a.png] here[image #5: picture]')
  })

  it('leaves a label without an image as text', () => {
    expect(textOfUnits(unitsOfInput('a [image #1: x] b', []))).toBe('a [image #1: x] b')
  })
})
