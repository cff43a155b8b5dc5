// Units of the editor: a grapheme, a line end, or a chip (a paste, an image).
import type { ImageContent } from '../../../lib/streams/messages/message.ts'
import { graphemes } from '../text/cell-width.ts'

/** A long paste, shown as one unit and sent in full. */
interface PasteChip {
  readonly kind: 'paste'
  /** From 1, in the order of pasting. */
  readonly number: number
  readonly text: string
}

/** An image beside the text. */
interface ImageChip {
  readonly kind: 'image'
  readonly number: number
  /** Name of the file or another label. */
  readonly name: string
  readonly image: ImageContent
}

type Chip = PasteChip | ImageChip
/** A string is one grapheme; LF is the only line end. */
export type Unit = string | Chip

/** Converts CR LF and CR to LF. */
export function normalizeLineEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}

/** Splits a text into units with LF as line end. */
export function unitsOf(text: string): readonly Unit[] {
  return graphemes(normalizeLineEnds(text))
}

/** Number of lines of a paste; a last line end begins no line. */
export function pastedLines(text: string): number {
  return text.replace(/\n$/, '').split('\n').length
}

/** Label of a chip; not yet safe for the terminal. */
export function chipLabel(chip: Chip): string {
  if (chip.kind === 'image') return `[image #${chip.number}: ${chip.name}]`
  const lines = pastedLines(chip.text)
  const size = lines === 1 ? `${chip.text.length} characters` : `${lines} lines`
  return `[paste #${chip.number}: ${size}]`
}

/** The text to send: pastes in full, images as labels. */
export function textOfUnits(units: readonly Unit[]): string {
  return units
    .map((unit) => (typeof unit === 'string' ? unit : unit.kind === 'paste' ? unit.text : chipLabel(unit)))
    .join('')
}

const label = /(\[image #\d+: [^\]\n]*\])/

/**
 * Restores the units of a sent input: images go where the text names them, the others to the end.
 * @param chips number of chips so far
 */
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
  return [...units, ...[...left].flatMap(() => chip('picture'))]
}
