// Formats the exact subject of an approval: command, change of a file, and every other argument.
import { isRecord } from '../../../lib/streams/values/json.ts'
import { commandLines } from '../markdown/command-line.ts'
import { diffBody } from '../text/count-changes.ts'
import { span, spanLines } from '../text/span.ts'
import type { Line } from '../text/span.ts'
import { wrapLine } from '../text/wrap-line.ts'
import { patchLines } from '../transcript/diff-lines.ts'

export interface Subject {
  readonly args?: unknown
  readonly diff?: string | undefined
}

/** Wraps to `columns` cells; omits nothing but what the diff shows. */
export function exactLines({ args, diff }: Subject, columns: number): Line[] {
  const lines = isRecord(args) ? argumentLines(args, diff) : [...jsonLines(args), ...rawDiff(diff)]
  return lines.flatMap((line) => wrapLine(line, { columns, rest: [{ text: '  ', roles: [] }] }))
}

function argumentLines(args: Readonly<Record<string, unknown>>, diff: string | undefined): Line[] {
  const { command, path, ...rest } = args
  if (typeof command === 'string') {
    const others = path === undefined ? rest : { path, ...rest }
    return [...shellLines(command), ...otherLines(others), ...rawDiff(diff)]
  }
  const change = typeof path === 'string' ? changeLines(rest, diff) : undefined
  if (change === undefined) return [...jsonLines(args), ...rawDiff(diff)]
  return [[span(String(path), 'strong')], ...change.lines, ...otherLines(change.others)]
}

function shellLines(command: string): Line[] {
  return commandLines(command).map((line, index) => [{ text: index === 0 ? '$ ' : '  ', roles: ['dim'] }, ...line])
}

interface Change {
  readonly lines: readonly Line[]
  /** Arguments that the lines do not show. */
  readonly others: Readonly<Record<string, unknown>>
}

/** The change of a file: its diff, else its new content or its edits; undefined for another call. */
function changeLines(args: Readonly<Record<string, unknown>>, diff: string | undefined): Change | undefined {
  const { content, edits, oldText, newText } = args
  if (diff !== undefined) {
    const lines = diffBody(diff).length > 0 ? patchLines(diff, Infinity) : rawDiff(diff)
    return { lines, others: without(args, 'content', 'edits', 'oldText', 'newText') }
  }
  if (typeof content === 'string') return { lines: markedLines(content, '+'), others: without(args, 'content') }
  if (Array.isArray(edits) && edits.every(isReplacement)) {
    const lines = edits.flatMap((edit, index) => [...(index === 0 ? [] : [[span('⋮', 'dim')]]), ...editLines(edit)])
    return { lines, others: without(args, 'edits') }
  }
  if (typeof oldText !== 'string' || typeof newText !== 'string') return undefined
  return { lines: editLines({ oldText, newText }), others: without(args, 'oldText', 'newText') }
}

function editLines({ oldText, newText }: Replacement): Line[] {
  return [...markedLines(oldText, '-'), ...markedLines(newText, '+')]
}

interface Replacement {
  readonly oldText: string
  readonly newText: string
}

/** True if it has nothing but the two texts. */
function isReplacement(value: unknown): value is Replacement {
  if (!isRecord(value) || Object.keys(value).length !== 2) return false
  return typeof value['oldText'] === 'string' && typeof value['newText'] === 'string'
}

function without(args: Readonly<Record<string, unknown>>, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)))
}

function markedLines(text: string, mark: '+' | '-'): Line[] {
  if (text === '') return []
  const role = mark === '+' ? 'added' : 'removed'
  return spanLines(text.replace(/\n$/, ''), role).map((line) => [
    { text: mark === '+' ? '+ ' : '− ', roles: [role] },
    ...line,
  ])
}

function otherLines(others: Readonly<Record<string, unknown>>): Line[] {
  return Object.keys(others).length > 0 ? jsonLines(others) : []
}

function jsonLines(value: unknown): Line[] {
  return value === undefined ? [] : spanLines(JSON.stringify(value, undefined, 2), 'code')
}

function rawDiff(diff: string | undefined): Line[] {
  if (diff === undefined) return []
  return diff
    .split('\n')
    .flatMap((line) => spanLines(line, line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'dim'))
}
