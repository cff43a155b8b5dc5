// A change to a file: its lines with their numbers, marked with + and −, so that colour is not needed to read it.
import { terminalSafe } from '../../process/terminal-safe.ts'
import { cutToWidth } from '../text/cell-width.ts'
import type { Line } from '../text/span.ts'
import type { Role } from '../theme/theme.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { span } from '../text/span.ts'

/** Of a result's `details` that carry a unified diff; empty where they carry none. */
export function diffLines(details: unknown, columns: number): Line[] {
  const diff = diffIn(details)
  if (diff === undefined) return []
  return patchLines(diff, columns)
}

/** How many lines came and went; undefined where that is not told. */
export function diffStat(details: unknown): string | undefined {
  const diff = diffIn(details)
  if (diff === undefined) return undefined
  const lines = bodyOf(diff)
  const count = (mark: string): number => lines.filter((line) => line.startsWith(mark)).length
  return `+${count('+')} −${count('-')}`
}

/** A unified diff, its file headers left out. */
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
    const look = looks[mark]
    if (look === undefined) continue // “no newline at end of file”
    const number = mark === '-' ? before : after
    if (mark !== '+') before += 1
    if (mark !== '-') after += 1
    const text = `${String(number).padStart(5)} ${look.mark} ${terminalSafe(line.slice(1)).replaceAll('\t', '    ')}`
    lines.push([{ text: cutToWidth(text, columns), roles: look.roles }])
  }
  return lines
}

const looks: Readonly<Record<string, { readonly mark: string; readonly roles: readonly Role[] }>> = {
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

// What a session has changed, file by file; nothing that could not be shown is left out silently.

/** Lines of a diff are not cut here: the page wraps them. */
const uncut = 100_000

export function diffPageLines({ files, more }: ResultOf<'get_diff'>): readonly Line[] {
  const lines = files.flatMap(({ path, change, diff, reason }): readonly Line[] => [
    [span(`${change} `, 'dim'), span(path, 'strong')],
    ...(diff === undefined ? [[span(`  ${reason ?? 'no diff'}`, 'dim')]] : patchLines(diff, uncut)),
    [],
  ])
  return more === 0 ? lines : [...lines, [span(`… and ${more} more files`, 'dim')]]
}
