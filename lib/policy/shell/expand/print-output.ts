// Predicts what `echo`, `printf` and `seq` print from their words.
import { anyName, anyText, hasMarks, withoutMarks, wordSource } from '../model/word-marks.ts'

export function echoed(args: readonly string[]): string {
  const flags = args.findIndex((word) => !/^-[neE]+$/.test(word))
  const rest = flags < 0 ? [] : args.slice(flags)
  const text = rest.map(wordSource).join(' ')
  const isEscaped = args.slice(0, Math.max(flags, 0)).some((word) => word.includes('e'))
  return isEscaped ? unescaped(text) : text
}

/** `printf` with `%s`, `%b`, `%d` and escapes; other formats give unknown text. */
export function printed([format, ...args]: readonly string[]): string {
  if (format === undefined || format === '-v') return ''
  if (hasMarks(format) || /%(?!%|[-\d.]*[sbd])/.test(format.replaceAll('%%', ''))) return anyText
  const values = [...args]
  let output = ''
  let isOpen = true
  while (isOpen && output.length < 65_536) {
    const before = values.length
    output += unescaped(format).replaceAll(/%(%|[-\d.]*[sbd])/g, (_, kind: string) => {
      if (kind === '%') return '%'
      const value = wordSource(values.shift() ?? '')
      return kind.endsWith('b') ? unescaped(value) : value
    })
    isOpen = values.length > 0 && values.length < before
  }
  return output
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '',
  b: '',
  f: '',
  v: '',
  e: '',
  c: '',
}

function unescaped(text: string): string {
  const pattern = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|0?([0-7]{1,3})|([ntrabfvec\\'"]))/g
  return text.replaceAll(pattern, (_, hex?: string, unicode?: string, octal?: string, letter?: string) => {
    const code = hex ?? unicode
    if (code !== undefined) return withoutMarks(String.fromCharCode(Number.parseInt(code, 16)))
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255)
    return letter === undefined ? '' : (escapes[letter] ?? letter)
  })
}

/** The numbers of a short `seq`. */
export function counted(args: readonly string[]): string {
  const numbers = args.map(Number)
  const [first = 1, last = first] = numbers.length > 1 ? [numbers[0], numbers.at(-1)] : [1, numbers[0]]
  const isPlain = numbers.length > 0 && numbers.length < 3 && numbers.every((each) => Number.isInteger(each))
  if (!isPlain || last - first > 32 || last < first) return anyName
  return Array.from({ length: last - first + 1 }, (_, index) => String(first + index)).join('\n')
}
