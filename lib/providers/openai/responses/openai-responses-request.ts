// One request in the provider-independent form becomes the body that `POST /responses` takes; pure.
import type {
  FunctionTool,
  ResponseCreateParamsStreaming,
  ToolChoiceFunction,
} from 'openai/resources/responses/responses'
import type { ProviderRequest } from '../../../streams/ports/provider.ts'
import type { ToolDefinition } from '../../../streams/ports/tool.ts'
import type { OpenAiResponsesCompat } from './openai-responses-options.ts'
import { openAiResponsesHistory } from './openai-responses-history.ts'
import type { InputItem } from './openai-responses-history.ts'
import { outputLimit } from '../../adapter/output-options.ts'
import { isStrictSchema } from '../../adapter/output-options.ts'

export type OpenAiResponsesBody = Omit<ResponseCreateParamsStreaming, 'input' | 'reasoning'> & {
  readonly input: readonly InputItem[]
  readonly reasoning?: { readonly effort?: string; readonly summary?: 'auto' }
}

/** The least that the API takes. */
const leastOutput = 16

/**
 * The body of a streaming request whose answer is not stored at the provider. The history is made well formed first. Tools
 * are sent with their whole schema, not in strict mode, whose subset could not say optional properties.
 */
export function openAiResponsesRequest(request: ProviderRequest, compat: OpenAiResponsesCompat): OpenAiResponsesBody {
  const { model, system, tools, temperature, sessionId } = request
  const limit = outputLimit(request)
  return {
    model: model.id,
    ...(system.trim() === '' ? {} : { instructions: system.toWellFormed() }),
    input: openAiResponsesHistory(request.messages, model),
    stream: true,
    store: false,
    ...(tools.length > 0 ? { tools: tools.map(functionTool), ...toolChoice(request) } : {}),
    ...reasoning(request, compat),
    ...textFormat(request),
    ...(temperature === undefined ? {} : { temperature }),
    ...(limit === undefined ? {} : { max_output_tokens: Math.max(leastOutput, limit) }),
    ...(compat.promptCacheKey && sessionId !== undefined ? { prompt_cache_key: sessionId } : {}),
  }
}

function reasoning(
  { model, thinkingLevel }: ProviderRequest,
  compat: OpenAiResponsesCompat,
): Pick<OpenAiResponsesBody, 'reasoning' | 'include'> {
  if (!model.reasoning) return {}
  const effort = compat.effort[thinkingLevel]
  const asked = {
    ...(effort === undefined ? {} : { effort }),
    ...(compat.summary && thinkingLevel !== 'off' ? { summary: 'auto' as const } : {}),
  }
  return {
    ...(Object.keys(asked).length > 0 ? { reasoning: asked } : {}),
    ...(compat.encryptedReasoning ? { include: ['reasoning.encrypted_content'] } : {}),
  }
}

/** A schema of which strict mode does not take all is sent whole, to be followed as well as the model can. */
function textFormat({ outputSchema: schema }: ProviderRequest): Pick<OpenAiResponsesBody, 'text'> {
  if (schema === undefined) return {}
  return { text: { format: { type: 'json_schema', name: 'answer', schema, strict: isStrictSchema(schema, false) } } }
}

function functionTool({ name, description, parameters }: ToolDefinition): FunctionTool {
  return { type: 'function', name, description, parameters, strict: false }
}

function toolChoice({ toolChoice: choice }: ProviderRequest): {
  tool_choice?: 'auto' | 'none' | 'required' | ToolChoiceFunction
} {
  if (choice === undefined) return {}
  return { tool_choice: typeof choice === 'string' ? choice : { type: 'function', name: choice.name } }
}
