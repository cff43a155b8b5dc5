// Maps the messages of a context, and checks the numeric options of transforms.
// Guarantees: an unchanged message, list or context stays the same object, so a caller sees by identity that nothing
// changed.
import { map, tap } from 'rxjs'
import type { AgentContext, ContextTransform } from '../../streams/ports/agent-context.ts'
import type { Message } from '../../streams/messages/message.ts'
import { Failure } from '../../streams/values/failure.ts'

/**
 * Transforms the messages alone. If `change` returns the array that it received, the context passes unchanged. Ends and
 * fails with its source, or with a throw of `change`; buffers nothing.
 */
export function changeMessages(
  change: (messages: readonly Message[], context: AgentContext) => readonly Message[],
): ContextTransform {
  return map((context) => {
    const messages = change(context.messages, context)
    return messages === context.messages ? context : { ...context, messages }
  })
}

/** Replaces each element, or leaves it out for `undefined`. Returns `values` itself if `project` changed none. */
export function mapShared<Value>(
  values: readonly Value[],
  project: (value: Value, index: number) => Value | undefined,
): readonly Value[] {
  const mapped: Value[] = []
  let isChanged = false
  for (const [index, value] of values.entries()) {
    const result = project(value, index)
    if (result !== value) isChanged = true
    if (result !== undefined) mapped.push(result)
  }
  return isChanged ? mapped : values
}

/**
 * Checks an option when the operator is created, not in the middle of a run.
 * @throws Failure `bad_request` that names the option, unless `value` is absent or a whole number from 0 up
 */
export function requireCount(option: string, value: number | undefined): void {
  if (value === undefined || (Number.isInteger(value) && value >= 0)) return
  throw new Failure('bad_request', `${option} is ${value}; give a whole number, 0 or more`)
}

/** The index of the `count`th message of `role` from the end; 0 if there are fewer, the length if `count` is 0. */
export function startOfLast(messages: readonly Message[], role: Message['role'], count: number): number {
  let left = count
  let start = messages.length
  while (left > 0 && start > 0) {
    start -= 1
    if (messages[start]?.role === role) left -= 1
  }
  return start
}

/**
 * Calls `look` with each context at this place of the pipe, then passes the context on unchanged. It ignores the result
 * of `look`. Ends and fails with its source, and with a throw of `look`, which ends the turn; buffers nothing.
 */
export function tapContext(look: (context: AgentContext) => void): ContextTransform {
  return tap((context) => look(context))
}
