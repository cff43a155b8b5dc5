// An input that was sent once is written again: its pictures stand where its words name them.
import type { ImageContent } from '../../../lib/streams/messages/message.ts'
import { unitsOf } from './text-buffer.ts'
import type { Unit } from './unit.ts'

/** Pictures that are not named stand at the end. @param chips how many the editor has had */
export function unitsOfInput(text: string, images: readonly ImageContent[], chips = 0): readonly Unit[] {
  const left = [...images]
  let number = chips
  const chip = (name: string): Unit[] => {
    const image = left.shift()
    return image === undefined ? [] : [{ kind: 'image', number: ++number, name, image }]
  }
  const units = text.split(label).flatMap((piece, index) => {
    if (index % 2 === 0) return unitsOf(piece)
    const named = chip(/: (.*)\]$/s.exec(piece)?.[1] ?? '')
    return named.length === 0 ? unitsOf(piece) : named
  })
  return [...units, ...images.flatMap(() => chip('picture'))]
}

const label = /(\[image #\d+: [^\]\n]*\])/
