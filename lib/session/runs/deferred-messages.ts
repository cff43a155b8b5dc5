// Appends the messages of ended commands and jobs between turns, and behind what is being written.
import type { Message } from '../../streams/messages/message.ts'
import type { Conversation } from '../../operators/ports/run-ports.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import { appendMessage } from './append-message.ts'
import type { ConversationHold } from './conversation-hold.ts'

export interface DeferredMessages {
  /** Holds a message until no turn is active. */
  add(message: Message): void
  /** Appends the held messages and publishes them. Only while no turn is active. */
  appendDeferred(): undefined
  /** Appends now; during a run at its next turn or when it has settled; during a compaction, a restore or a summary, after that. */
  appendSoon(): void
}

interface DeferredOptions {
  readonly conversation: Conversation
  readonly pipeline: Pick<Pipeline, 'publish' | 'next'>
  readonly hold: Pick<ConversationHold, 'quiet'>
  /** True if a run is active. */
  isRunning(): boolean
}

export function deferredMessages({ conversation, pipeline, hold, isRunning }: DeferredOptions): DeferredMessages {
  let waiting: Message[] = []
  const appendAll = (): undefined => {
    const messages = waiting
    waiting = []
    for (const message of messages)
      for (const event of appendMessage(message, conversation)) pipeline.publish({ event })
  }
  const appendIfIdle = (): void => {
    if (!isRunning()) appendAll() // a run that began meanwhile appends it at its first turn
  }
  // a message at the head would make what is being written about the conversation useless
  const appendWhenQuiet = (): void => {
    hold.quiet().subscribe({ complete: appendIfIdle })
  }
  const appendWhenSettled = (): void => {
    const settled$ = pipeline.next(({ event }) => event.type === 'agent_settled')
    settled$.subscribe({ next: appendWhenQuiet, error: appendWhenSettled }) // a later retry writes it
  }
  return {
    add: (message) => waiting.push(message),
    appendDeferred: appendAll,
    appendSoon: () => {
      if (isRunning()) appendWhenSettled()
      else appendWhenQuiet()
    },
  }
}
