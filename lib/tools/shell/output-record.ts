// Of an output of any length the end is kept in memory, bounded, and the whole in a file as soon as the end is not all of it.
import { countLines, truncateTail } from '../../streams/values/truncate.ts'
import { outputLimits } from '../shared/output-limits.ts'
import type { SpillFile } from './spill-file.ts'
import { textTail } from './text-tail.ts'

export interface RecordedOutput {
  /** The end of the output, within the limits. */
  readonly text: string
  readonly isCut: boolean
  /** True where the one line that is shown is not whole. */
  readonly isLineCut: boolean
  /** How many lines are shown, and how many there were. */
  readonly lines: number
  readonly totalLines: number
  readonly totalBytes: number
  /** Where all of it is, if it is cut and may be kept. */
  readonly spill: SpillFile | undefined
}

export interface OutputRecord {
  /** Appends a piece, in the order in which the pieces arrived. */
  add(text: string): void
  /** Closes the file; the record is not used afterwards. */
  finish(): RecordedOutput
  /** For a call that nobody waits for any more: removes the file. After `finish` it does nothing. */
  discard(): void
}

/** Units kept in memory: twice what can be shown, so that a line which is shown whole is known to be whole. */
const unitsInMemory = 2 * outputLimits.maxBytes

/** @param createSpill makes the file when it is needed; absent: nothing is kept beyond the end */
export function recordOutput(createSpill: (() => SpillFile) | undefined): OutputRecord {
  const end = textTail(unitsInMemory)
  let newlines = 0
  let bytes = 0
  let spill: SpillFile | undefined
  let finished = false
  const keepWhole = (text: string): void => {
    if (spill === undefined && (bytes > outputLimits.maxBytes || newlines >= outputLimits.maxLines)) {
      spill = createSpill?.()
      spill?.write(end.all()) // nothing has been dropped from it yet
    }
    spill?.write(text)
  }
  return {
    add: (text) => {
      newlines += countNewlines(text)
      bytes += Buffer.byteLength(text)
      keepWhole(text)
      end.add(text)
    },
    finish: () => {
      finished = true
      spill?.close()
      const shown = truncateTail(end.all(), outputLimits)
      const totalLines = newlines + (shown.text === '' || shown.text.endsWith('\n') ? 0 : 1)
      const isCut = shown.bytes < bytes
      if (!isCut) spill?.remove()
      return {
        text: shown.text,
        isCut,
        isLineCut: shown.cutLine,
        lines: countLines(shown.text),
        totalLines,
        totalBytes: bytes,
        spill: isCut ? spill : undefined,
      }
    },
    discard: () => {
      if (!finished) spill?.remove()
    },
  }
}

function countNewlines(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) === 10) count += 1
  return count
}
