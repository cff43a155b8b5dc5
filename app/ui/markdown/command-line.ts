// Formats a shell command with syntax colours; caches the last ones, which are drawn repeatedly.
import type { Line } from '../text/span.ts'
import { codeLines, isHighlighting } from './code-lines.ts'

const remembered = new Map<string, readonly Line[]>()
/** Maximum of remembered commands; the oldest go first. */
const limit = 100

/** One line a line of the command; escapes untrusted text. */
export function commandLines(command: string): readonly Line[] {
  const known = remembered.get(command)
  if (known !== undefined) return known
  const lines = codeLines(command, 'bash')
  if (!isHighlighting()) return lines // later it has colours
  const [oldest] = remembered.keys()
  if (remembered.size >= limit && oldest !== undefined) remembered.delete(oldest)
  remembered.set(command, lines)
  return lines
}
