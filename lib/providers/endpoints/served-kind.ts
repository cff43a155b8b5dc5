/** How an endpoint is asked what it serves. `openai`: it says names alone, in the form of OpenAI's list. */
export type ServedKind = 'ollama' | 'lmstudio' | 'vllm' | 'llamacpp' | 'openai'
