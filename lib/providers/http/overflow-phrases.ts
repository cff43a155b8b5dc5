// Recognises the messages by which providers report that a conversation is too long.

export interface OverflowPhrase {
  /** The servers with this message. */
  readonly servers: string
  readonly pattern: RegExp
  /** An example. */
  readonly sample: string
}

/** Used only if status and type blame the request. Repetitions are bounded, because the text is untrusted. */
export const overflowPhrases: readonly OverflowPhrase[] = [
  {
    servers: 'Anthropic, Fireworks',
    pattern: /\bprompt is too long\b/i,
    sample: 'prompt is too long: 215103 tokens > 200000 maximum',
  },
  {
    servers: 'Anthropic',
    pattern: /\bexceed(?:s|ed)? (?:the )?context (?:limit|window)\b/i,
    sample:
      'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens`',
  },
  {
    servers: 'Google',
    pattern: /\binput token count\b.{0,40}\bexceeds the maximum number of tokens\b/i,
    sample: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  },
  {
    servers: 'OpenAI, vLLM, DeepSeek, OpenRouter',
    pattern: /\bmaximum context length (?:is|of)\b/i,
    sample: "This model's maximum context length is 8192 tokens. However, you requested 9010 tokens.",
  },
  {
    servers: 'Mistral',
    pattern: /\btoo large for model with \d{1,12} maximum context length\b/i,
    sample: 'Prompt contains 40012 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
  },
  {
    servers: 'xAI',
    pattern: /\bmaximum prompt length is\b/i,
    sample: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  },
  {
    servers: 'Groq, Cerebras',
    pattern: /\breduce the length of the (?:messages|prompt)\b/i,
    sample: 'Please reduce the length of the messages or completion. Current length is 132032 while limit is 131072',
  },
  {
    servers: 'llama.cpp',
    pattern: /\bexceeds? the available context size\b/i,
    sample: 'the request exceeds the available context size, try increasing it',
  },
  {
    servers: 'LM Studio',
    pattern: /\b(?:greater|longer) than the context length\b/i,
    sample: 'The number of tokens to keep from the initial prompt is greater than the context length.',
  },
  {
    servers: 'Ollama',
    pattern: /\bexceeds the (?:model's )?(?:maximum )?context (?:length|window)\b/i,
    sample: 'the input length exceeds the context length',
  },
  {
    servers: 'MiniMax',
    pattern: /\bcontext window exceeds limit\b/i,
    sample: 'invalid params, context window exceeds limit (2013)',
  },
  {
    servers: 'Moonshot',
    pattern: /\bexceeded model token limit\b/i,
    sample: 'Invalid request: Your request exceeded model token limit: 131072',
  },
  {
    servers: 'Z.ai',
    pattern: /\bprompt exceeds max length\b/i,
    sample: 'Prompt exceeds max length',
  },
  {
    servers: 'Qwen',
    pattern: /\brange of input length should be\b/i,
    sample: 'Range of input length should be [1, 98304]',
  },
  {
    servers: 'Hugging Face, Together',
    pattern: /\binputs?`? (?:tokens )?(?:must have less than|\+ `?max_new_tokens`? must be <=)/i,
    sample: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens',
  },
  {
    servers: 'Bedrock',
    pattern: /\binput is too long for (?:the )?requested model\b/i,
    sample: 'Input is too long for requested model.',
  },
]

/** True if the text reports that the conversation is longer than the model's window. */
export function saysOverflow(message: string): boolean {
  return overflowPhrases.some(({ pattern }) => pattern.test(message))
}
