// Remembers compiled modules: each session evaluates an extension anew, and compiling costs most.
// Guarantees: bounded; the code is that of exactly this source.
import { createHash } from 'node:crypto'

/** Characters of compiled code that are remembered; all of them are forgotten when one more would exceed it. */
export const maxCompiled = 4_194_304

let codes = new Map<string, string>()
let size = 0

export interface SourceText {
  /** Absolute: compiled code names it. */
  readonly filename: string
  readonly source: string
  readonly async: boolean
}

/** Of exactly this source, in this form. */
export function codeKey({ filename, source, async: isAsync }: SourceText): string {
  return createHash('sha256')
    .update(`${filename}\0${String(isAsync)}\0${source}`)
    .digest('base64')
}

/** @param compile called unless the code of this source is remembered */
export function compiledCode(text: SourceText, compile: () => string): string {
  const key = codeKey(text)
  const known = codes.get(key)
  if (known !== undefined) return known
  const code = compile()
  if (code.length > maxCompiled) return code
  if (size + code.length > maxCompiled) [codes, size] = [new Map<string, string>(), 0]
  codes.set(key, code)
  size += code.length
  return code
}
