// Provides runs that end in different ways, in virtual time.
import { expect } from 'vitest'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { ProviderFailureKind } from '../../../lib/streams/values/failure.ts'
import type { AssistantMessage } from '../../../lib/streams/messages/message.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import type { VirtualRun } from '../../../lib/testing/virtual-run.ts'

export function endOf(played: VirtualRun): EventNamed<'agent_end'> {
  const ends = played.events.filter((event) => event.type === 'agent_end')
  expect([ends.length, played.end]).toEqual([1, 'complete'])
  const [end] = ends
  if (end === undefined) throw new Error('the run has no end')
  return end
}

export function lastAnswer(played: VirtualRun): AssistantMessage | undefined {
  return played.messages.findLast((message) => message.role === 'assistant')
}

export const providerFailure = (kind: ProviderFailureKind): Failure =>
  new Failure('provider_error', `it was ${kind}`, { data: { kind } })

export const text = (piece: string): AssistantDelta => ({ type: 'text_delta', contentIndex: 0, text: piece })

export const textStart: AssistantDelta = { type: 'text_start', contentIndex: 0 }

export const tool = (name: string) => fakeTool(name, 'x')

export const calling = { toolCalls: [{ name: 'a' }] }
