// Lists in what requests to Mistral and Bedrock differ from those of pi, and why; no other difference is allowed.
import type { ListedDifference } from '../accounts/requests/listed-differences.ts'

export const keyDifferences: readonly ListedDifference[] = [
  {
    pattern: /^mistral: body\.tools\.\d\.function\.strict: false -> -$/,
    reason: 'False is the default of the API.',
  },
  {
    pattern: /^mistral: body\.messages\.\d\.(prefix: false|tool_calls\.0\.index: 0) -> -$/,
    reason: 'The defaults of the API.',
  },
  {
    pattern: /^mistral: body\.messages\.\d\.(tool_call_id|tool_calls\.0\.id): "call_1" -> "[a-z0-9]{9}"$/,
    reason: 'The API wants nine letters and digits; pi renames the ids of other models only.',
  },
  {
    pattern:
      /^mistral: body\.messages\.3\.content(\.0\.\w+)?: ("(text|one line|no such file)" -> -|- -> ".*"|".*" -> -)$/,
    reason: 'A text is a string; pi sends a list of parts, and marks a failed result in its text.',
  },
  {
    pattern: /^mistral: body\.max_tokens: \d+ -> -$/,
    reason: 'rxpi sends a limit only if the request has one; the API requires none.',
  },
  {
    pattern: /^mistral: body\.reasoning_effort: - -> "none"$/,
    reason: 'The model has a word for no thinking, and may think without it.',
  },
  {
    pattern: /^bedrock \w+: body\.(toolConfig\.tools\.2|messages\.0\.content\.1)\.cachePoint\.type: - -> "default"$/,
    reason: 'rxpi marks the tools and the last two turns of the user, pi the last one.',
  },
  {
    pattern: /^bedrock \w+: body\.messages\.2\.content\.0\.toolResult\.status: "success" -> -$/,
    reason: 'Success is the default, and models of most makers take no status.',
  },
]
