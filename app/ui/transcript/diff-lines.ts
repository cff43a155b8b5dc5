// Formats a unified diff with line numbers and + and − signs, so that it needs no colour.
import { terminalSafe } from '../../process/terminal-safe.ts'
import { cutLine } from '../text/wrap-line.ts'
import { diffBody, diffIn } from '../text/count-changes.ts'
import type { Line, Span } from '../text/span.ts'
import type { Role } from '../theme/theme.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { span } from '../text/span.ts'
import { changedWords } from './changed-words.ts'
import type { MarkedPart } from './changed-words.ts'

/** For `details` of a tool result with a diff; else empty. */
export function diffLines(details: unknown, columns: number): Line[] {
  const diff = diffIn(details)
  if (diff === undefined) return []
  return patchLines(diff, columns)
}

/** Formats a unified diff without its file headers; marks the changed words of a replaced line. */
export function patchLines(diff: string, columns: number): Line[] {
  const lines: Line[] = []
  const body = diffBody(diff)
  const replaced = replacedLines(body)
  let before = 0
  let after = 0
  body.forEach((line, index) => {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line)
    if (hunk !== null) {
      if (lines.length > 0) lines.push([{ text: '     ⋮', roles: ['dim'] }])
      before = Number(hunk[1])
      after = Number(hunk[2])
      return
    }
    const mark = line[0] ?? ' '
    const look = lineLooks[mark]
    if (look === undefined) return // “no newline at end of file”
    const number = mark === '-' ? before : after
    if (mark !== '+') before += 1
    if (mark !== '-') after += 1
    const parts = replaced.get(index) ?? [{ text: line.slice(1), isChanged: false }]
    const front: Span = { text: `${String(number).padStart(5)} ${look.mark} `, roles: look.roles }
    const text = parts.map(({ text: part, isChanged }) => ({
      text: terminalSafe(part).replaceAll('\t', '    '),
      roles: isChanged ? look.changed : look.roles,
    }))
    lines.push(cutLine([front, ...text], columns))
  })
  return lines
}

/** Pairs each removed line with the added line of the same position after it, if both blocks are equally long. */
function replacedLines(body: readonly string[]): ReadonlyMap<number, readonly MarkedPart[]> {
  const found = new Map<number, readonly MarkedPart[]>()
  for (let index = 0; index < body.length;) {
    const removed = blockLength(body, index, '-')
    const added = removed === 0 ? 0 : blockLength(body, index + removed, '+')
    const paired = removed === added ? removed : 0
    for (let row = index; row < index + paired; row += 1) {
      const words = changedWords(body[row]?.slice(1) ?? '', body[row + removed]?.slice(1) ?? '')
      if (words === undefined) continue
      found.set(row, words.before)
      found.set(row + removed, words.after)
    }
    index += Math.max(1, removed + added)
  }
  return found
}

function blockLength(body: readonly string[], from: number, mark: string): number {
  let length = 0
  while (body[from + length]?.startsWith(mark) === true) length += 1
  return length
}

interface LineLook {
  readonly mark: string
  readonly roles: readonly Role[]
  /** Of changed words. */
  readonly changed: readonly Role[]
}

const lineLooks: Readonly<Record<string, LineLook>> = {
  '+': { mark: '+', roles: ['added'], changed: ['added', 'changed'] },
  '-': { mark: '−', roles: ['removed'], changed: ['removed', 'changed'] },
  ' ': { mark: ' ', roles: ['dim'], changed: ['dim'] },
}

/** The page wraps the lines of a diff. */
const unlimitedColumns = 100_000

/** Formats all changes of a session, file by file; names files that cannot be shown. */
export function diffPageLines({ files, more }: ResultOf<'get_diff'>): readonly Line[] {
  const lines = files.flatMap(({ path, change, diff, reason }): readonly Line[] => [
    [span(`${change} `, 'dim'), span(path, 'strong')],
    ...(diff === undefined ? [[span(`  ${reason ?? 'no diff'}`, 'dim')]] : patchLines(diff, unlimitedColumns)),
    [],
  ])
  return more === 0 ? lines : [...lines, [span(`… and ${more} more files`, 'dim')]]
}
