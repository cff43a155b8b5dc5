// What a transform leaves as it is stays the same object: later ones, and whoever compares, see at once that nothing changed.
import { map, tap } from 'rxjs'
import type { AgentContext, ContextTransform } from '../../streams/ports/agent-context.ts'
import type { Message } from '../../streams/messages/message.ts'
import { Failure } from '../../streams/values/failure.ts'

/**
 * A transform of the messages alone. Where `change` gives back the array that it got, the context passes as it is. Ends and
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

// An array whose elements stay as they are stays itself.

/** `values` with each element replaced, or left out for `undefined`; `values` itself where all were given back as they were. */
export function mapShared<Value>(
  values: readonly Value[],
  project: (value: Value, index: number) => Value | undefined,
): readonly Value[] {
  const mapped: Value[] = []
  let changed = false
  for (const [index, value] of values.entries()) {
    const result = project(value, index)
    if (result !== value) changed = true
    if (result !== undefined) mapped.push(result)
  }
  return changed ? mapped : values
}

// An option that is no count is refused when the operator is made, not in the middle of a run.

/** @throws Failure `bad_request` that names the option, unless `value` is absent or a whole number from 0 up */
export function requireCount(option: string, value: number | undefined): void {
  if (value === undefined || (Number.isInteger(value) && value >= 0)) return
  throw new Failure('bad_request', `${option} is ${value}; give a whole number, 0 or more`)
}

// Where the last few messages of a role begin.

/** The index of the `count`th message of `role` from the end; 0 where there are fewer, the length where `count` is 0. */
export function startOfLast(messages: readonly Message[], role: Message['role'], count: number): number {
  let left = count
  let start = messages.length
  while (left > 0 && start > 0) {
    start -= 1
    if (messages[start]?.role === role) left -= 1
  }
  return start
}

// Looking at a context changes nothing in it.

/**
 * Calls `look` with each context as it stands here in the pipe, then passes it on as it is. What `look` gives back is
 * ignored. Ends and fails with its source, and with a throw of `look`, which ends the turn; buffers nothing.
 */
export function tapContext(look: (context: AgentContext) => void): ContextTransform {
  return tap((context) => look(context))
}
