// Reads URI templates as far as a person types them: variables `{name}` and `{+name}` among text.

/** The variable at the end of what was typed. */
export interface OpenVariable {
  readonly name: string
  /** The typed part of it, decoded. */
  readonly value: string
  /** The variables before it. */
  readonly known: Readonly<Record<string, string>>
  /** The URI with this value, up to the next variable. */
  expand(value: string): string
  /** False: another variable follows. */
  readonly isLast: boolean
}

interface Variable {
  readonly name: string
  /** `{+name}`: a value may have slashes. */
  readonly keepsReserved: boolean
}

/** Undefined if the text is not of this template, ends in its fixed text, or is behind an expression of another form. */
export function openVariable(template: string, typed: string): OpenVariable | undefined {
  const pieces = template.split(/\{([^{}]*)\}/) // fixed text at even places, expressions at odd ones
  const known: Record<string, string> = {}
  let at = 0
  for (let index = 0; index + 1 < pieces.length; index += 2) {
    const [before = '', expression = '', after = ''] = pieces.slice(index, index + 3)
    const variable = readVariable(expression)
    if (variable === undefined || !typed.startsWith(before, at)) return undefined
    at += before.length
    const end = after === '' ? -1 : typed.indexOf(after, at)
    const written = decode(typed.slice(at, end === -1 ? undefined : end))
    if (written === undefined) return undefined
    if (end === -1) {
      const start = typed.slice(0, at)
      const isLast = index + 3 >= pieces.length
      const expand = (value: string): string => `${start}${encode(value, variable)}${after}`
      return { name: variable.name, value: written, known, expand, isLast }
    }
    known[variable.name] = written
    at = end
  }
  return undefined
}

function readVariable(expression: string): Variable | undefined {
  const [, operator, name] = /^(\+?)(\w+)$/.exec(expression) ?? []
  return name === undefined ? undefined : { name, keepsReserved: operator === '+' }
}

function encode(value: string, { keepsReserved }: Variable): string {
  const text = value.toWellFormed()
  return keepsReserved ? encodeURI(text) : encodeURIComponent(text)
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined // a person has typed half of an escape
  }
}
