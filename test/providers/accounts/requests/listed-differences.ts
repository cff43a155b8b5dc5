// Lists in what the requests of rxpi differ from those of pi, and why; the comparison allows no other difference.

/** A difference, as a pattern of `wire: field: pi's value -> rxpi's value`. */
export interface ListedDifference {
  readonly pattern: RegExp
  readonly reason: string
}

export const listedDifferences: readonly ListedDifference[] = [
  {
    pattern:
      /^claude: (headers\.(user-agent|x-app)|body\.system\.\d\.[\w.]+|body\.(tools|messages\.\d\.content)\.\d\.name): /,
    reason: 'rxpi does not pass itself off as Claude Code: no user agent, prompt or tool names of that program (0603).',
  },
  {
    pattern: /^claude: headers\.anthropic-beta: "claude-code-20250219,(oauth-2025-04-20).*" -> "\1"$/,
    reason: 'The same (0603); and rxpi sends no tool changes within a conversation.',
  },
  {
    pattern: /^claude: body\.tools\.2\./,
    reason: 'A tool of pi that holds the cache while tools change; rxpi sends the tools of each request.',
  },
  {
    pattern: /^codex: headers\.(originator|user-agent): "pi" -> "rxpi"$/,
    reason: 'Each names itself.',
  },
  {
    pattern: /^codex: body\.text\.verbosity: "low" -> -$/,
    reason: 'A choice of pi; rxpi leaves the verbosity to the model.',
  },
  {
    pattern: /^(codex|copilot responses): body\.input\.\d\.id: "(rs|msg_pi|fc)_1" -> -$/,
    reason: 'The vendor stores no response, so rxpi sends no ids of items.',
  },
  {
    pattern: /^(codex|copilot responses): body\.tools\.\d\.strict: (null|-) -> false$/,
    reason: 'rxpi names the mode; null and an absent field leave it to the vendor.',
  },
  {
    pattern: /^copilot responses: body\.include\.0: - -> "reasoning\.encrypted_content"$/,
    reason: 'A model without a word for no thinking may think: rxpi asks for what a later request returns.',
  },
  {
    pattern: /^copilot \w+: body\.max_(output|completion)_tokens: \d+ -> -$/,
    reason: 'rxpi sends a limit only if the request has one; the API requires none.',
  },
  {
    pattern: /^copilot completions: body\.messages\.\d\.content\.0\.text: "Attached image/,
    reason: 'Each introduces images of results in its own words.',
  },
  {
    pattern: /^(claude|copilot messages): url: "(.*)\?beta=true" -> "\2"$/,
    reason: 'The path of the SDK for betas; the header alone switches them on.',
  },
  {
    pattern: /^(claude|copilot messages): headers\.anthropic-dangerous-direct-browser-access: "true" -> -$/,
    reason: 'For programs in a browser; rxpi is none.',
  },
  {
    pattern: /^(claude|copilot messages): body\.tools\.\d\.eager_input_streaming: true -> -$/,
    reason: 'rxpi does not ask for arguments before they are valid JSON.',
  },
  {
    pattern: /^(claude|copilot messages): body\.thinking\.type: "disabled" -> -$/,
    reason: 'The model does not think unless a request asks for it (compat `withoutThinking`).',
  },
  {
    pattern:
      /^(claude|copilot messages): body\.messages\.\d\.content(\.0)?(\.content)?(\.0)?(\.(type|text))?: ("|- -> ")/,
    reason: 'A text may be a string or a block; rxpi sends blocks, which can bear a mark of the cache.',
  },
  {
    pattern: /^(claude|copilot messages): body\.messages\.\d\.content\.0\.cache_control\.type: - -> "ephemeral"$/,
    reason: 'rxpi marks the last two turns of the user, pi the last one.',
  },
  {
    pattern: /^(claude|copilot messages): body\.messages\.\d\.content\.0\.is_error: false -> -$/,
    reason: 'False is the default of the API.',
  },
]
