// Writes one line of progress on standard error.
import type { Output } from './output.ts'

/** Writes one line, whatever the message holds. */
export function report(stderr: Output, message: string): void {
  stderr.text(`rxpi: ${message.replace(/\s*\n\s*/g, ' ').trim()}\n`)
}
