// A line is made of spans: safe text, each with the looks that it has.
import { terminalSafe } from '../../process/terminal-safe.ts'
import type { Role, Theme } from '../theme/theme.ts'

export interface Span {
  /** Safe for a terminal, without line feeds and tabs. */
  readonly text: string
  /** Outermost first. */
  readonly roles: readonly Role[]
}

export type Line = readonly Span[]

/** Anybody's text on one line, made safe. */
export function span(text: string, ...roles: Role[]): Span {
  return { text: oneLine(text), roles }
}

/** Anybody's text, made safe, a span a line. */
export function spanLines(text: string, ...roles: Role[]): Line[] {
  return terminalSafe(text)
    .split('\n')
    .map((line) => [{ text: line.replaceAll('\t', '    '), roles }])
}

/** As it is written to the terminal. */
export function painted(line: Line, theme: Theme): string {
  return line.map(({ text, roles }) => roles.reduceRight((inner, role) => theme.paint(role, inner), text)).join('')
}

function oneLine(text: string): string {
  return terminalSafe(text).replaceAll('\n', ' ').replaceAll('\t', '    ')
}
