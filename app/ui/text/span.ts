// A line of spans: safe text with style roles.
import { terminalSafe } from '../../process/terminal-safe.ts'
import type { Role, Theme } from '../theme/theme.ts'

export interface Span {
  /** Safe for a terminal, without line feeds and tabs. */
  readonly text: string
  /** Outermost first. */
  readonly roles: readonly Role[]
}

export type Line = readonly Span[]

/** Untrusted text on one line, escaped. */
export function span(text: string, ...roles: Role[]): Span {
  return { text: oneLine(text), roles }
}

/** Untrusted text, escaped, one span a line. */
export function spanLines(text: string, ...roles: Role[]): Line[] {
  return terminalSafe(text)
    .split('\n')
    .map((line) => [{ text: line.replaceAll('\t', '    '), roles }])
}

/** Formats a line for the terminal. */
export function paintLine(line: Line, theme: Theme): string {
  return line.map(({ text, roles }) => roles.reduceRight((inner, role) => theme.paint(role, inner), text)).join('')
}

function oneLine(text: string): string {
  return terminalSafe(text).replaceAll('\n', ' ').replaceAll('\t', '    ')
}
