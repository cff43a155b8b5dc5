// Finds the command or path that is being completed at the cursor.
import type { Observable } from 'rxjs'
import type { TextBuffer } from '../editor/text-buffer.ts'
import { lineStart } from '../editor/text-buffer.ts'

export interface CompletionQuery {
  /** `scenario`: the name behind `/scenario`; `role`: the one behind `/model @`. */
  readonly kind: 'command' | 'file' | 'scenario' | 'role'
  /** The text after the mark, without quotes. */
  readonly query: string
  /** Index of the mark's unit. */
  readonly from: number
}

/** A suggestion for `@…` or `/…`. */
export interface Suggestion {
  /** Text in the list. */
  readonly label: string
  /** Text for the editor, with the mark. */
  readonly value: string
  readonly description?: string
}

/**
 * Emits suggestions, best first; may emit several times, the last counts. Never fails. Unsubscribed when the query
 * changes.
 */
export type FindSuggestions = (query: CompletionQuery) => Observable<readonly Suggestion[]>

/** Undefined if nothing is being completed. */
export function completionAt({ units, cursor }: TextBuffer): CompletionQuery | undefined {
  const start = lineStart(units, cursor)
  const left = units.slice(start, cursor).map((unit) => (typeof unit === 'string' ? unit : ' '))
  if (start === 0 && left[0] === '/' && left.every((unit) => !/\s/.test(unit))) {
    return { kind: 'command', query: left.slice(1).join(''), from: 0 }
  }
  const named = start === 0 ? /^\/scenarios? (\S*)$/.exec(left.join('')) : null
  if (named !== null && !left.includes('@')) {
    const [, query = ''] = named
    return { kind: 'scenario', query, from: left.length - query.length }
  }
  const role = start === 0 ? /^\/models? @(\S*)$/.exec(left.join('')) : null
  if (role !== null) {
    const [, query = ''] = role
    return { kind: 'role', query, from: left.length - query.length - 1 }
  }
  const mark = left.findLastIndex((unit, index) => unit === '@' && (index === 0 || /\s/.test(left[index - 1] ?? '')))
  if (mark === -1) return undefined
  const written = left.slice(mark + 1).join('')
  const isQuoted = written.startsWith('"')
  if (isQuoted ? written.slice(1).includes('"') : /\s/.test(written)) return undefined
  return { kind: 'file', query: isQuoted ? written.slice(1) : written, from: start + mark }
}
