// Ink passes over what terminals report of their focus; it is heard on the way in, and taken out of what is typed.

/** What of an input is used: its other members are the input's own. */
export interface ReadInput {
  read(size?: number): unknown
}

/** An input that is the given one but for focus reports, which `told` gets: true where its user looks at the terminal. */
export function focusInput<Input extends ReadInput & object>(input: Input, told: (isFocused: boolean) => void): Input {
  const read = (size?: number): unknown => {
    const chunk = input.read(size)
    if (typeof chunk !== 'string') return chunk // Ink asks for text
    return chunk.replace(reports, (_, letter: string) => {
      told(letter === 'I')
      return ''
    })
  }
  return new Proxy(input, {
    get: (target, name) => {
      if (name === 'read') return read
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? (member.bind(target) as unknown) : member
    },
  })
}

const reports = /\u001b\[([IO])/g
