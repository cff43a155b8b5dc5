// What people run themselves, at its usual address on this machine.
import { completions } from '../openai/completions/completions-manners.ts'
import type { Preset } from './preset.ts'

export const localPresets: Readonly<Record<string, Preset>> = {
  ollama: {
    title: 'Ollama',
    api: 'openai-completions',
    baseUrl: 'http://localhost:11434/v1',
    local: true,
    serves: 'ollama',
    detected: true,
    compat: completions({
      structuredOutput: 'without_tools',
      effort: { off: 'none', minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'high' },
    }),
  },
  lmstudio: {
    title: 'LM Studio',
    api: 'openai-completions',
    baseUrl: 'http://localhost:1234/v1',
    local: true,
    serves: 'lmstudio',
    detected: true,
    compat: completions({ structuredOutput: 'without_tools' }),
  },
  vllm: {
    title: 'vLLM',
    api: 'openai-completions',
    baseUrl: 'http://localhost:8000/v1',
    local: true,
    serves: 'vllm',
    detected: true,
    compat: completions({ thinkingForm: 'template', structuredOutput: 'without_tools' }),
  },
  llamacpp: {
    title: 'llama.cpp',
    api: 'openai-completions',
    baseUrl: 'http://localhost:8080/v1',
    local: true,
    serves: 'llamacpp',
    detected: true,
    compat: completions({ thinkingForm: 'template', structuredOutput: 'without_tools' }),
  },
  sglang: {
    title: 'SGLang',
    api: 'openai-completions',
    baseUrl: 'http://localhost:30000/v1',
    local: true,
    serves: 'vllm',
    compat: completions({ thinkingForm: 'template', structuredOutput: 'without_tools' }),
    note: 'not detected by default',
  },
  litellm: {
    title: 'LiteLLM',
    api: 'openai-completions',
    baseUrl: 'http://localhost:4000/v1',
    keyVariable: 'LITELLM_API_KEY',
    otherKeyVariables: ['LITELLM_MASTER_KEY'],
    keyOptional: true,
    baseUrlVariable: 'LITELLM_BASE_URL',
    serves: 'openai',
    note: 'your own gateway: not free of charge, not detected by default',
  },
}
