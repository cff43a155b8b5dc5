// Appends the messages of ended commands and jobs between turns.
import type { Message } from '../../streams/messages/message.ts'
import type { Conversation } from '../../operators/ports/run-ports.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import { appendMessage } from './append-message.ts'

export interface DeferredMessages {
  /** Holds a message until no turn is active. */
  add(message: Message): void
  /** Appends the held messages and publishes them. Only while no turn is active. */
  appendDeferred(): undefined
  /** Appends now, or if a run is active, at its next turn or when it has settled. */
  appendSoon(): void
}

interface DeferredOptions {
  readonly conversation: Conversation
  readonly pipeline: Pick<Pipeline, 'publish' | 'next'>
  /** True if a run is active. */
  isRunning(): boolean
}

export function deferredMessages({ conversation, pipeline, isRunning }: DeferredOptions): DeferredMessages {
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
  const appendWhenSettled = (): void => {
    const settled$ = pipeline.next(({ event }) => event.type === 'agent_settled')
    settled$.subscribe({ next: appendIfIdle, error: appendWhenSettled }) // a later retry writes it
  }
  return {
    add: (message) => waiting.push(message),
    appendDeferred: appendAll,
    appendSoon: () => {
      if (!isRunning()) appendAll()
      else appendWhenSettled()
    },
  }
}
