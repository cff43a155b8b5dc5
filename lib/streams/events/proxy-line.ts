// Encodes a provider's deltas as the proxy's JSON lines.
// Arguments that pieces already carried are not repeated.
import type { AssistantDelta } from '../messages/delta.ts'
import type { FailureShape } from './event.ts'
import { parseToolArguments } from '../messages/parse-tool-arguments.ts'
import { isSameJson } from '../values/json.ts'

export type ProxyLine =
  | Exclude<AssistantDelta, { type: 'toolcall_end' }>
  | (Omit<Extract<AssistantDelta, { type: 'toolcall_end' }>, 'arguments'> & {
      readonly arguments?: Record<string, unknown>
    })
  | ({ readonly type: 'failure' } & FailureShape)

/** Removes repeated arguments from deltas, or restores them. Buffers the text of open calls and nothing else. */
export interface ProxyLines {
  /** `toolcall_end` without its arguments if the pieces of its text already contain them. */
  thin(delta: AssistantDelta): ProxyLine
  /** The delta as it was before `thin`. */
  whole(line: Exclude<ProxyLine, { type: 'failure' }>): AssistantDelta
}

/** For one answer in one direction. */
export function createProxyLines(): ProxyLines {
  const pieces = new Map<number, string[]>()
  const note = ({ contentIndex, text }: { readonly contentIndex: number; readonly text: string }): void => {
    const known = pieces.get(contentIndex)
    if (known === undefined) pieces.set(contentIndex, [text])
    else known.push(text)
  }
  const parsedArgumentsAt = (contentIndex: number) => {
    const text = pieces.get(contentIndex)?.join('') ?? ''
    pieces.delete(contentIndex)
    return parseToolArguments(text)
  }
  return {
    thin: (delta) => {
      if (delta.type === 'toolcall_delta') note(delta)
      if (delta.type !== 'toolcall_end') return delta
      const parsed = parsedArgumentsAt(delta.contentIndex)
      const { arguments: args, argumentsText, ...rest } = delta
      const isRepeated = parsed.argumentsText === argumentsText && isSameJson(parsed.arguments, args)
      return isRepeated ? rest : delta
    },
    whole: (line) => {
      if (line.type === 'toolcall_delta') note(line)
      if (line.type !== 'toolcall_end') return line
      const parsed = parsedArgumentsAt(line.contentIndex)
      const { arguments: args, ...rest } = line
      return args === undefined ? { ...rest, ...parsed } : { ...rest, arguments: args }
    },
  }
}
