// What the proxy's endpoint sends, one JSON object a line: a provider's deltas, or its failure; what the pieces of a call said is not said again.
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

/** Puts each delta as it is to be sent, or as it was; remembers the text of open calls and nothing else. */
export interface ProxyLines {
  /** `toolcall_end` without its arguments where the pieces of its text say them. */
  thin(delta: AssistantDelta): ProxyLine
  /** The delta that `thin` was given. */
  whole(line: Exclude<ProxyLine, { type: 'failure' }>): AssistantDelta
}

/** For one answer, in one direction. */
export function proxyLines(): ProxyLines {
  const pieces = new Map<number, string[]>()
  const note = ({ contentIndex, text }: { readonly contentIndex: number; readonly text: string }): void => {
    const known = pieces.get(contentIndex)
    if (known === undefined) pieces.set(contentIndex, [text])
    else known.push(text)
  }
  const said = (contentIndex: number) => {
    const text = pieces.get(contentIndex)?.join('') ?? ''
    pieces.delete(contentIndex)
    return parseToolArguments(text)
  }
  return {
    thin: (delta) => {
      if (delta.type === 'toolcall_delta') note(delta)
      if (delta.type !== 'toolcall_end') return delta
      const parsed = said(delta.contentIndex)
      const { arguments: args, argumentsText, ...rest } = delta
      const isRepeated = parsed.argumentsText === argumentsText && isSameJson(parsed.arguments, args)
      return isRepeated ? rest : delta
    },
    whole: (line) => {
      if (line.type === 'toolcall_delta') note(line)
      if (line.type !== 'toolcall_end') return line
      const parsed = said(line.contentIndex)
      const { arguments: args, ...rest } = line
      return args === undefined ? { ...rest, ...parsed } : { ...rest, arguments: args }
    },
  }
}
