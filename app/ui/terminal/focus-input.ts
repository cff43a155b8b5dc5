// What a terminal reports is no key: its focus is heard on the way in, and late answers to what it was asked are taken out of what is typed.

/** What of an input is used: its other members are the input's own. */
export interface ReadInput {
  read(size?: number): unknown
}

/**
 * An input that is the given one but for such reports; of its focus `told` gets: true where its user looks at the terminal. One
 * that comes in two reads is kept back until it is whole, or something else than it.
 */
export function focusInput<Input extends ReadInput & object>(
  input: Input,
  onFocus: (isFocused: boolean) => void,
): Input {
  let begun = ''
  let endedInEscape = false
  const read = (size?: number): unknown => {
    const chunk = input.read(size)
    if (typeof chunk !== 'string') return chunk // Ink asks for text
    // Esc acts at once; where it was a report's, Ink puts the two together and passes over it
    if (endedInEscape && /^\[[IO]/.test(chunk)) onFocus(chunk[1] === 'I')
    const typed = (begun + chunk).replace(reports, (_, letter: string | undefined) => {
      if (letter !== undefined) onFocus(letter === 'I')
      return ''
    })
    begun = unfinished.exec(typed)?.[0] ?? ''
    endedInEscape = begun === '' && typed.endsWith('\u001b')
    return typed.slice(0, typed.length - begun.length)
  }
  return new Proxy(input, {
    get: (target, name) => {
      if (name === 'read') return read
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? (member.bind(target) as unknown) : member
    },
  })
}

/** The focus, and the background that `askBackground` did not wait for any longer. */
const reports = /\u001b\[([IO])|\u001b\]11;[\da-z:/]*(?:\u0007|\u001b\\)/gi

/** The beginning of one of them, but for what may be a key: Esc, or Alt with a bracket that closes. */
const unfinished = /\u001b(?:\[|\]1(?:1(?:;[\da-z:/]{0,40}\u001b?)?)?)$/i
