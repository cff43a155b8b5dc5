// How an endpoint is asked to think, or not to: one of several forms, with the model's own words.
import type { ProviderRequest } from '../../../streams/ports/provider.ts'
import type { OpenAiCompletionsCompat } from './openai-completions-compat.ts'

type Fields = Readonly<Record<string, unknown>>

/** The fields that say it; none for a model that does not reason. */
export function thinkingFields(request: ProviderRequest, compat: OpenAiCompletionsCompat): Fields {
  if (!request.model.reasoning || compat.thinkingForm === 'none') return {}
  const word = effortWord(request, compat)
  const effort = word === undefined ? {} : { reasoning_effort: word }
  if (compat.thinkingForm === 'effort') return effort
  if (compat.thinkingForm === 'reasoning') return word === undefined ? {} : { reasoning: { effort: word } }
  const on = request.thinkingLevel !== 'off'
  return on || compat.thinkingOff ? { ...switches[compat.thinkingForm](on), ...effort } : effort
}

const switches: Readonly<Record<'thinking' | 'enabled' | 'enable_thinking' | 'template', (on: boolean) => Fields>> = {
  thinking: (on) => ({ thinking: { type: on ? 'enabled' : 'disabled' } }),
  enabled: (on) => ({ reasoning: { enabled: on } }),
  enable_thinking: (on) => ({ enable_thinking: on }),
  template: (on) => ({ chat_template_kwargs: { enable_thinking: on } }),
}

function effortWord({ tools, thinkingLevel }: ProviderRequest, compat: OpenAiCompletionsCompat): string | undefined {
  if (tools.length > 0 && compat.effortWithTools !== 'send') {
    return compat.effortWithTools === 'none' ? 'none' : undefined
  }
  return compat.effort[thinkingLevel]
}
