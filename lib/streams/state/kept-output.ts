// Of output that goes on and on the end is kept, bounded, with the place where it stands in the whole.
import { lastUnits } from '../values/truncate.ts'

/** The last 64 to 128 Ki UTF-16 units of an output, and how many came before them; all of a shorter one. */
export interface KeptOutput {
  readonly offset: number
  readonly text: string
}

/** UTF-16 units. */
const outputKept = 65_536

/** One piece more. A gap means that output was left out: what is kept starts anew behind it. */
export function appendOutput(
  before: KeptOutput = { offset: 0, text: '' },
  piece: { readonly offset: number; readonly content: string },
): KeptOutput {
  const end = before.offset + before.text.length
  return bounded(
    piece.offset > end
      ? { offset: piece.offset, text: piece.content }
      : { offset: before.offset, text: before.text + piece.content.slice(end - piece.offset) },
  )
}

/** Cut back once it is twice as long, so that a piece costs what it is long. */
function bounded(output: KeptOutput): KeptOutput {
  if (output.text.length <= 2 * outputKept) return output
  const text = lastUnits(output.text, outputKept)
  return { offset: output.offset + output.text.length - text.length, text }
}
