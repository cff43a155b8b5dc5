// Records the end of an output in bounded memory, and all of it in a file as soon as it exceeds that.
import { countLines, truncateTail } from '../../streams/values/truncate.ts'
import { outputLimits } from '../shared/output-limits.ts'
import type { SpillFile } from '../../host/files/spill-file.ts'
import { textTail } from './text-tail.ts'

export interface RecordedOutput {
  /** The end of the output, within the limits. */
  readonly text: string
  readonly isCut: boolean
  /** True if the only line shown is cut. */
  readonly isLineCut: boolean
  /** Number of lines shown, and of all lines. */
  readonly lines: number
  readonly totalLines: number
  readonly totalBytes: number
  /** The file with all of it, if it is cut and may be stored. */
  readonly spill: SpillFile | undefined
}

export interface OutputRecord {
  /** Appends a piece, in order of arrival. */
  add(text: string): void
  /** Closes the file; the record is not used afterwards. */
  finish(): RecordedOutput
  /** Removes the file of a cancelled call. After `finish` it does nothing. */
  discard(): void
}

/** Units in memory: twice what can be shown, so that a line shown whole is known to be whole. */
const unitsInMemory = 2 * outputLimits.maxBytes

/** @param createSpill creates the file on demand; absent: nothing beyond the end is stored */
export function recordOutput(createSpill: (() => SpillFile) | undefined): OutputRecord {
  const tail = textTail(unitsInMemory)
  let newlines = 0
  let bytes = 0
  let spill: SpillFile | undefined
  let finished = false
  const spillIfLong = (text: string): void => {
    if (spill === undefined && (bytes > outputLimits.maxBytes || newlines >= outputLimits.maxLines)) {
      spill = createSpill?.()
      spill?.write(tail.all()) // nothing was dropped before
    }
    spill?.write(text)
  }
  return {
    add: (text) => {
      newlines += countNewlines(text)
      bytes += Buffer.byteLength(text)
      spillIfLong(text)
      tail.add(text)
    },
    finish: () => {
      finished = true
      spill?.close()
      const shown = truncateTail(tail.all(), outputLimits)
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
