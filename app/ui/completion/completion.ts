// What stands left of the cursor says what is being completed: a command at the start of the text, a path behind an `@`.
import type { Observable } from 'rxjs'
import type { TextBuffer } from '../editor/text-buffer.ts'
import { lineStart } from '../editor/text-buffer.ts'

export interface CompletionQuery {
  readonly kind: 'command' | 'file'
  /** What was written of it, without the mark and quotes. */
  readonly query: string
  /** The index of the unit that the mark is. */
  readonly from: number
}

// One thing that a person may mean with `@…` or `/…`.

export interface Suggestion {
  /** What stands in the list. */
  readonly label: string
  /** What is put in, the mark included. */
  readonly value: string
  readonly description?: string
}

/** The best first; may emit several times, the last counts; never fails. Unsubscribed when something else is asked. */
export type FindSuggestions = (query: CompletionQuery) => Observable<readonly Suggestion[]>

/** Undefined where nothing is being completed. */
export function completionAt({ units, cursor }: TextBuffer): CompletionQuery | undefined {
  const start = lineStart(units, cursor)
  const left = units.slice(start, cursor).map((unit) => (typeof unit === 'string' ? unit : ' '))
  if (start === 0 && left[0] === '/' && left.every((unit) => !/\s/.test(unit))) {
    return { kind: 'command', query: left.slice(1).join(''), from: 0 }
  }
  const mark = left.findLastIndex((unit, index) => unit === '@' && (index === 0 || /\s/.test(left[index - 1] ?? '')))
  if (mark === -1) return undefined
  const written = left.slice(mark + 1).join('')
  const isQuoted = written.startsWith('"')
  if (isQuoted ? written.slice(1).includes('"') : /\s/.test(written)) return undefined
  return { kind: 'file', query: isQuoted ? written.slice(1) : written, from: start + mark }
}
