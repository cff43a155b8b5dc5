// Provides runs with queued inputs, in virtual time.
import type { QueuedInput } from '../../../lib/streams/state/fold-session.ts'
import type { VirtualRun } from '../../../lib/testing/virtual-run.ts'

export const steering = (content: string): QueuedInput => ({ queueId: `id ${content}`, queue: 'steering', content })

export const followUp = (content: string): QueuedInput => ({ queueId: `id ${content}`, queue: 'followUp', content })

/** The new user messages of each request, in order. */
export function requestTexts(played: VirtualRun): string[][] {
  let known = 0
  return played.requests.map(({ messages }) => {
    const fresh = messages.slice(known)
    known = messages.length
    return fresh.flatMap(({ role, content }) => (role === 'user' && typeof content === 'string' ? [content] : []))
  })
}
