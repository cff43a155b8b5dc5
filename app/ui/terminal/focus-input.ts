// Filters terminal reports out of the input and passes on focus changes.

/** The part of an input that it uses. */
export interface ReadInput {
  read(size?: number): unknown
}

/**
 * Returns the input without reports; calls `onFocus` with true if the terminal has the focus. Buffers an incomplete
 * report until it is complete or something else.
 */
export function focusInput<Input extends ReadInput & object>(
  input: Input,
  onFocus: (isFocused: boolean) => void,
): Input {
  let partial = ''
  let endedInEscape = false
  const read = (size?: number): unknown => {
    const chunk = input.read(size)
    if (typeof chunk !== 'string') return chunk // Ink reads text
    // Esc was delivered already; if it began a report, Ink joins both and ignores them
    if (endedInEscape && /^\[[IO]/.test(chunk)) onFocus(chunk[1] === 'I')
    const typed = (partial + chunk).replace(reportPattern, (_, letter: string | undefined) => {
      if (letter !== undefined) onFocus(letter === 'I')
      return ''
    })
    partial = partialReport.exec(typed)?.[0] ?? ''
    endedInEscape = partial === '' && typed.endsWith('\u001b')
    return typed.slice(0, typed.length - partial.length)
  }
  return new Proxy(input, {
    get: (target, name) => {
      if (name === 'read') return read
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? (member.bind(target) as unknown) : member
    },
  })
}

/** Focus reports, and late answers to `askBackground`. */
const reportPattern = /\u001b\[([IO])|\u001b\]11;[\da-z:/]*(?:\u0007|\u001b\\)/gi

/** The beginning of a report, except what may be a key: Esc, or Alt with a bracket. */
const partialReport = /\u001b(?:\[|\]1(?:1(?:;[\da-z:/]{0,40}\u001b?)?)?)$/i
