// Reads a secret from the terminal without echo.
import { defer, endWith, filter, map, scan, take } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../lib/streams/values/failure.ts'
import type { Output } from './output.ts'
import type { RawTerminal } from './world.ts'

interface Typed {
  readonly text: string
  /** An incomplete escape sequence. */
  readonly escape: string
  readonly end: 'line' | 'cancelled' | undefined
}

const noInput: Typed = { text: '', escape: '', end: undefined }
/** Arrow keys and the brackets of a paste. */
const escapeSequence = /^\u001b(?:\[[0-9;?]*[@-~]|O[@-~]|[^[O])$/

/**
 * Prints the question on stderr, emits the trimmed line at Enter and completes. Supports Backspace and Ctrl-U. Fails
 * with `cancelled` at Ctrl-C, and at Ctrl-D on an empty line.
 */
export function readSecret(question: string, terminal: RawTerminal, stderr: Output): Observable<string> {
  return defer(() => {
    stderr.text(question)
    const decoder = new TextDecoder()
    return terminal.raw$.pipe(
      map((chunk) => decoder.decode(chunk, { stream: true })),
      endWith('\u0004'), // the terminal is gone
      scan((typed, text) => Array.from(text).reduce(addKey, typed), noInput),
      filter(({ end }) => end !== undefined),
      take(1),
      map(({ text, end }) => {
        stderr.text('\n')
        if (end === 'cancelled') throw new Failure('cancelled', 'cancelled; nothing was stored')
        return text.trim()
      }),
    )
  })
}

function addKey(typed: Typed, key: string): Typed {
  if (typed.end !== undefined) return typed
  // a control character ends an incomplete sequence, so that Enter and Ctrl-C work
  if (typed.escape !== '' && /^\P{Cc}$/u.test(key)) return handleEscape(typed, key)
  return handleKey({ ...typed, escape: '' }, key)
}

function handleEscape({ escape, ...typed }: Typed, key: string): Typed {
  return { ...typed, escape: escapeSequence.test(escape + key) ? '' : escape + key }
}

function handleKey(typed: Typed, key: string): Typed {
  const { text } = typed
  switch (key) {
    case '\u001b':
      return { ...typed, escape: key }
    case '\r':
    case '\n':
      return { ...typed, end: 'line' }
    case '\u0003':
      return { ...typed, end: 'cancelled' }
    case '\u0004':
      return text === '' ? { ...typed, end: 'cancelled' } : { ...typed, end: 'line' }
    case '\u007f':
    case '\b':
      return { ...typed, text: Array.from(text).slice(0, -1).join('') }
    case '\u0015':
      return { ...typed, text: '' }
    default:
      return key < ' ' ? typed : { ...typed, text: text + key }
  }
}
