// Provides a request and the deltas of answers, for tests of provider operators.
import { scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import type { ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { ProviderFailureKind } from '../../../lib/streams/values/failure.ts'
import { sampleUsage } from '../../streams/events/samples.ts'

export const sampleRequest: ProviderRequest = {
  model: scriptedModel,
  system: 'Be brief.',
  messages: [{ role: 'user', content: 'Hello', timestamp: 1 }],
  tools: [],
  thinkingLevel: 'off',
}

/** The deltas of an answer by letter: `stxed`, with a usage `u` and a warning `w`. */
export const deltas = {
  s: { type: 'start' },
  w: { type: 'warning', code: 'slow', message: 'Slow', recoverable: true },
  u: { type: 'usage', usage: sampleUsage },
  t: { type: 'text_start', contentIndex: 0 },
  x: { type: 'text_delta', contentIndex: 0, text: 'Hi' },
  e: { type: 'text_end', contentIndex: 0 },
  d: { type: 'done', stopReason: 'stop', usage: sampleUsage },
  l: { type: 'done', stopReason: 'length', usage: sampleUsage },
} satisfies Record<string, AssistantDelta>

export function providerFailure(kind: ProviderFailureKind): Failure {
  return new Failure('provider_error', `It failed (${kind})`, { data: { kind } })
}
