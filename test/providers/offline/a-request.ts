// Builds the smallest possible request; a test sets the fields that it needs.
import { scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { ProviderRequest } from '../../../lib/streams/ports/provider.ts'

export function aRequest(fields: Partial<ProviderRequest> = {}): ProviderRequest {
  return { model: scriptedModel, system: '', messages: [], tools: [], thinkingLevel: 'off', ...fields }
}
