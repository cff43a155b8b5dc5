// What the cursor steps over as one: a grapheme as people see it, a line end, or a chip that stands for more.
import type { ImageContent } from '../../../lib/streams/messages/message.ts'

/** Many pasted lines, shown as one and sent as what they are. */
export interface PasteChip {
  readonly kind: 'paste'
  /** From 1, in the order of pasting. */
  readonly number: number
  readonly text: string
}

/** An image that goes beside the text. */
export interface ImageChip {
  readonly kind: 'image'
  readonly number: number
  /** The file's name, or what else it is called. */
  readonly name: string
  readonly image: ImageContent
}

export type Chip = PasteChip | ImageChip
/** A string is one grapheme; `\n` is the only line end. */
export type Unit = string | Chip

/** What the editor shows for a chip; its text still has to be made safe for the terminal. */
export function chipLabel(chip: Chip): string {
  if (chip.kind === 'image') return `[image #${chip.number}: ${chip.name}]`
  const lines = chip.text.replace(/\n$/, '').split('\n').length
  const size = lines === 1 ? `${chip.text.length} characters` : `${lines} lines`
  return `[paste #${chip.number}: ${size}]`
}

/** The text as it is sent: pastes whole, images by their label, so that words can speak of them. */
export function textOfUnits(units: readonly Unit[]): string {
  return units
    .map((unit) => (typeof unit === 'string' ? unit : unit.kind === 'paste' ? unit.text : chipLabel(unit)))
    .join('')
}
