// Removes the shell state that a wrapped command prints from its output, and parses it.
import { concatMap, defer } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import type { ConfinedEvent } from '../../../streams/ports/sandbox.ts'
import { stateMarks } from './shell-script.ts'
import type { PrintedState } from './shell-script.ts'

/** UTF-16 units of one state; a longer one is dropped. */
const longestState = 4 * 1024 * 1024

/**
 * Emits the events without the states, and calls `onState` for each; undefined for an empty one. Holds text back while
 * it may be the begin of a state, at most 4 Mi units. Ends with its source.
 */
export function takeStates(
  nonce: string,
  onState: (state: PrintedState | undefined) => void,
): OperatorFunction<ConfinedEvent, ConfinedEvent> {
  return (events$) =>
    defer(() => {
      const cut = stateCutter(nonce, onState)
      return events$.pipe(
        concatMap((event): ConfinedEvent[] => {
          if (event.type === 'end') {
            const text = cut.rest()
            return text === '' ? [event] : [{ type: 'output', stream: 'stdout', text }, event]
          }
          if (event.type === 'fence' || event.stream === 'stderr') return [event]
          const text = cut.add(event.text)
          return text === '' ? [] : [{ ...event, text }]
        }),
      )
    })
}

interface StateCutter {
  /** The part of the text so far that belongs to the command. */
  add(text: string): string
  /** The text held back. */
  rest(): string
}

function stateCutter(nonce: string, onState: (state: PrintedState | undefined) => void): StateCutter {
  const marks = stateMarks(nonce)
  let held = ''
  return {
    add: (text) => {
      held += text
      let passed = ''
      for (;;) {
        const begin = held.indexOf(marks.begin)
        if (begin === -1) {
          const keep = suffixThatBegins(held, marks.begin)
          passed += held.slice(0, held.length - keep)
          held = held.slice(held.length - keep)
          return passed
        }
        passed += held.slice(0, begin)
        const end = held.indexOf(marks.end, begin)
        held = held.slice(begin)
        if (end === -1) {
          if (held.length > longestState) held = marks.begin
          return passed
        }
        onState(parseState(held.slice(marks.begin.length, end - begin)))
        held = held.slice(end - begin + marks.end.length)
      }
    },
    rest: () => (held.startsWith(marks.begin) ? '' : held),
  }
}

/** The length of the longest end of the text that the mark begins with. */
function suffixThatBegins(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length -= 1) {
    if (mark.startsWith(text.slice(text.length - length))) return length
  }
  return 0
}

function parseState(text: string): PrintedState | undefined {
  const [first, ...pairs] = text.split('\0').slice(0, -1)
  if (first === undefined) return undefined
  const variables = pairs.map((pair): [string, string] => {
    const equals = pair.indexOf('=')
    return [pair.slice(0, equals), pair.slice(equals + 1)]
  })
  return { folder: first.replace(/\n$/, ''), variables: new Map(variables) }
}
