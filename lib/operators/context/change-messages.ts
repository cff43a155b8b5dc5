// What a transform leaves as it is stays the same object: later ones, and whoever compares, see at once that nothing changed.
import { map } from 'rxjs'
import type { AgentContext, ContextTransform } from '../../streams/ports/agent-context.ts'
import type { Message } from '../../streams/messages/message.ts'

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
