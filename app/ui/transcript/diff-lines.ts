// Formats a unified diff with line numbers and + and − signs, so that it needs no colour.
import { terminalSafe } from '../../process/terminal-safe.ts'
import { cutToWidth } from '../text/cell-width.ts'
import type { Line } from '../text/span.ts'
import type { Role } from '../theme/theme.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { span } from '../text/span.ts'

/** For `details` of a tool result with a diff; else empty. */
export function diffLines(details: unknown, columns: number): Line[] {
  const diff = diffIn(details)
  if (diff === undefined) return []
  return patchLines(diff, columns)
}

/** Number of added and removed lines; undefined without a diff. */
export function diffStat(details: unknown): string | undefined {
  const diff = diffIn(details)
  if (diff === undefined) return undefined
  const lines = bodyOf(diff)
  const count = (mark: string): number => lines.filter((line) => line.startsWith(mark)).length
  return `+${count('+')} −${count('-')}`
}

/** Formats a unified diff without its file headers. */
export function patchLines(diff: string, columns: number): Line[] {
  const lines: Line[] = []
  let before = 0
  let after = 0
  for (const line of bodyOf(diff)) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line)
    if (hunk !== null) {
      if (lines.length > 0) lines.push([{ text: '     ⋮', roles: ['dim'] }])
      before = Number(hunk[1])
      after = Number(hunk[2])
      continue
    }
    const mark = line[0] ?? ' '
    const look = lineLooks[mark]
    if (look === undefined) continue // “no newline at end of file”
    const number = mark === '-' ? before : after
    if (mark !== '+') before += 1
    if (mark !== '-') after += 1
    const text = `${String(number).padStart(5)} ${look.mark} ${terminalSafe(line.slice(1)).replaceAll('\t', '    ')}`
    lines.push([{ text: cutToWidth(text, columns), roles: look.roles }])
  }
  return lines
}

const lineLooks: Readonly<Record<string, { readonly mark: string; readonly roles: readonly Role[] }>> = {
  '+': { mark: '+', roles: ['added'] },
  '-': { mark: '−', roles: ['removed'] },
  ' ': { mark: ' ', roles: ['dim'] },
}

function bodyOf(diff: string): string[] {
  const begin = diff.search(/^@@ /m)
  return begin === -1 ? [] : diff.slice(begin).replace(/\n$/, '').split('\n')
}

function diffIn(details: unknown): string | undefined {
  if (typeof details !== 'object' || details === null || !('diff' in details)) return undefined
  return typeof details.diff === 'string' ? details.diff : undefined
}

// Formats all changes of a session, file by file; names files that cannot be shown.

/** The page wraps the lines of a diff. */
const unlimitedColumns = 100_000

export function diffPageLines({ files, more }: ResultOf<'get_diff'>): readonly Line[] {
  const lines = files.flatMap(({ path, change, diff, reason }): readonly Line[] => [
    [span(`${change} `, 'dim'), span(path, 'strong')],
    ...(diff === undefined ? [[span(`  ${reason ?? 'no diff'}`, 'dim')]] : patchLines(diff, unlimitedColumns)),
    [],
  ])
  return more === 0 ? lines : [...lines, [span(`… and ${more} more files`, 'dim')]]
}
