// What is to stand in the conversation goes in where no turn is on: at once, at the next turn's start, or when the run has settled.
import type { Conversation } from '../../operators/ports/run-ports.ts'
import type { Message } from '../../streams/messages/message.ts'
import { landing } from './landing.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'

export interface DeferredMessages {
  /** Keeps it until it can go in; `land` brings it there. */
  add(message: Message): void
  /** Puts what waits into the conversation and tells it. To be called where no turn is on. */
  land(): undefined
  /** Lands now, or where a run is on when it has settled, if not before. */
  landSoon(): void
}

export interface DeferredOptions {
  readonly conversation: Conversation
  /** Asked for when it is needed: it comes into being later. */
  pipeline(): Pick<Pipeline, 'push' | 'next'>
  /** Whether a run is on. */
  isRunning(): boolean
}

export function deferredMessages({ conversation, pipeline, isRunning }: DeferredOptions): DeferredMessages {
  let waiting: Message[] = []
  const land = (): undefined => {
    const messages = waiting
    waiting = []
    for (const message of messages) for (const event of landing(message, conversation)) pipeline().push({ event })
  }
  const landIfIdle = (): void => {
    if (!isRunning()) land() // else the run that has begun meanwhile lands it at its first turn
  }
  const landWhenSettled = (): void => {
    const settled$ = pipeline().next(({ event }) => event.type === 'agent_settled')
    settled$.subscribe({ next: landIfIdle, error: landWhenSettled }) // written when there is space again
  }
  return {
    add: (message) => waiting.push(message),
    land,
    landSoon: () => {
      if (!isRunning()) land()
      else landWhenSettled()
    },
  }
}
