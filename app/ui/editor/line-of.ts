// A text with its cursor at the end.
import { unitsOf } from './text-buffer.ts'
import type { TextBuffer } from './text-buffer.ts'

export function lineOf(text: string): TextBuffer {
  const units = unitsOf(text)
  return { units, cursor: units.length }
}
