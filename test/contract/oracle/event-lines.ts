// The short notation of both agents' events; only what it shows is compared.
import { messageLine, resultText, roleName } from './message-line.ts'
import type { ShownMessage } from './message-line.ts'
import type { Wording } from './wordings.ts'

/** `ms(user)`, `ms(asst)`, `ms(result c1)`: content comes with the updates and the end. */
export function startLine({ role, toolCallId }: ShownMessage): string {
  return `ms(${roleName(role)}${toolCallId === undefined ? '' : ` ${toolCallId}`})`
}

/** `me(asst stop "Hello")`. */
export function endLine(message: ShownMessage, wording: Wording): string {
  return `me(${messageLine(message, wording)})`
}

/** A delta shows its own content, not earlier content: `mu(text_delta 0 "Hel")`, `mu(toolcall_end 1)`. */
export function updateLine(delta: { readonly type: string; readonly contentIndex?: number }, text?: string): string {
  const parts = [delta.type, delta.contentIndex, text === undefined ? undefined : JSON.stringify(text)]
  return `mu(${parts.filter((part) => part !== undefined).join(' ')})`
}

/** `xs(c1 add {"a":"1"})`: the arguments as the model sent them. */
export function callLine(id: string, name: string, args: unknown): string {
  return `xs(${id} ${name} ${JSON.stringify(args)})`
}

/** `xu(c1 "half")`. */
export function progressLine(id: string, text: string): string {
  return `xu(${id} ${JSON.stringify(text)})`
}

interface ShownResult {
  readonly content?: ShownMessage['content'] | undefined
  readonly isError?: boolean
  readonly terminate?: boolean | undefined
}

/** `xe(c1 ok "3")`, `xe(c2 error <aborted>)`, `xe(c3 ok "bye" terminate)`. */
export function callEndLine(id: string, result: ShownResult, wording: Wording): string {
  return `xe(${id} ${resultText(result, wording)}${result.terminate === true ? ' terminate' : ''})`
}

/** `TE(toolUse: c1 c2)`, `TE(stop)`, `TE()` for a turn without an answer. */
export function turnEndLine(message: ShownMessage | undefined, results: readonly (string | undefined)[]): string {
  return `TE(${message?.stopReason ?? ''}${results.length === 0 ? '' : `: ${results.join(' ')}`})`
}
