// A request as small as it can be; tests name what they care about.
import { scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { ProviderRequest } from '../../../lib/streams/ports/provider.ts'

export function aRequest(fields: Partial<ProviderRequest> = {}): ProviderRequest {
  return { model: scriptedModel, system: '', messages: [], tools: [], thinkingLevel: 'off', ...fields }
}
