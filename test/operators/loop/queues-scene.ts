// Runs with inputs that wait, in virtual time.
import type { QueuedInput } from '../../../lib/streams/state/fold-session.ts'
import type { VirtualRun } from '../../../lib/testing/virtual-run.ts'

export const steering = (content: string): QueuedInput => ({ queueId: `id ${content}`, queue: 'steering', content })

export const followUp = (content: string): QueuedInput => ({ queueId: `id ${content}`, queue: 'followUp', content })

/** What the model was asked, request by request: the users' words that are new in it. */
export function asked(played: VirtualRun): string[][] {
  let known = 0
  return played.requests.map(({ messages }) => {
    const fresh = messages.slice(known)
    known = messages.length
    return fresh.flatMap(({ role, content }) => (role === 'user' && typeof content === 'string' ? [content] : []))
  })
}
