// What is known of endpoints by name is data: where they answer, which variable holds the key, how they differ.
import type { Api, ApiCompat } from './api-compat.ts'

export interface Preset {
  /** The wire it speaks. */
  readonly api: Api
  /** The wire it speaks at any other address than its own. @default api */
  readonly apiElsewhere?: Api
  /** Absent where every user has an address of their own. */
  readonly baseUrl?: string
  /** The environment variable that holds the key; without one no key is asked for. */
  readonly keyVariable?: string
  /** Where this variable is set no key is asked for. */
  readonly insteadOfKey?: string
  /** What a GET under the base URL tells a right key from a wrong one by. @default /models */
  readonly keyCheckPath?: string
  /** The variables that replace parts of the preset for this one endpoint. */
  readonly baseUrlVariable?: string
  readonly organizationVariable?: string
  readonly projectVariable?: string
  readonly apiVersionVariable?: string
  readonly vertexProjectVariable?: string
  readonly vertexLocationVariable?: string
  readonly vertexKeyFileVariable?: string
  /** The model that is taken where a key is there and no model is named. */
  readonly defaultModel?: string
  /** It runs on this machine: free of charge, and slow to say its first word. */
  readonly local?: boolean
  /** Whose models it serves, where the catalogue knows them under another name. */
  readonly catalogue?: string
  /** What a model takes that the catalogue does not know. @default text only */
  readonly inputs?: readonly ('text' | 'image')[]
  /** Its manners at its own address; anywhere else only what the model is known for counts. */
  readonly compat?: ApiCompat
  /** Its manners at any address. */
  readonly compatEverywhere?: ApiCompat
}

/** The vendors first, in the order in which a key decides, then what people run themselves, on its usual port. */
export const presets: Readonly<Record<string, Preset>> = {
  openai: {
    api: 'openai-responses',
    apiElsewhere: 'openai-completions',
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    baseUrlVariable: 'OPENAI_BASE_URL',
    organizationVariable: 'OPENAI_ORG_ID',
    projectVariable: 'OPENAI_PROJECT_ID',
    defaultModel: 'gpt-6-sol',
    inputs: ['text', 'image'],
    // for those who ask for the older wire in models.json
    compat: { 'openai-completions': { maxTokensField: 'max_completion_tokens', promptCacheKey: true } },
  },
  anthropic: {
    api: 'anthropic-messages',
    baseUrl: 'https://api.anthropic.com',
    keyVariable: 'ANTHROPIC_API_KEY',
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    defaultModel: 'claude-sonnet-5-5',
    inputs: ['text', 'image'],
    compat: { 'anthropic-messages': { dialect: 'vendor' } },
  },
  google: {
    api: 'google-generative-ai',
    baseUrl: 'https://generativelanguage.googleapis.com',
    keyVariable: 'GEMINI_API_KEY',
    baseUrlVariable: 'GOOGLE_GEMINI_BASE_URL',
    defaultModel: 'gemini-3.5-flash',
    inputs: ['text', 'image'],
  },
  vertex: {
    api: 'google-vertex',
    baseUrl: 'https://aiplatform.googleapis.com',
    keyVariable: 'GOOGLE_API_KEY',
    insteadOfKey: 'GOOGLE_CLOUD_PROJECT',
    baseUrlVariable: 'GOOGLE_VERTEX_BASE_URL',
    vertexProjectVariable: 'GOOGLE_CLOUD_PROJECT',
    vertexLocationVariable: 'GOOGLE_CLOUD_LOCATION',
    vertexKeyFileVariable: 'GOOGLE_APPLICATION_CREDENTIALS',
    catalogue: 'google',
    inputs: ['text', 'image'],
    compat: { 'google-vertex': { streamArguments: true } },
    compatEverywhere: { 'google-vertex': { callIds: false } },
  },
  azure: {
    api: 'openai-responses',
    keyVariable: 'AZURE_OPENAI_API_KEY',
    baseUrlVariable: 'AZURE_OPENAI_ENDPOINT',
    apiVersionVariable: 'OPENAI_API_VERSION',
    catalogue: 'openai',
    inputs: ['text', 'image'],
    compatEverywhere: { 'openai-responses': { azure: true } },
  },
  ollama: { api: 'openai-completions', baseUrl: 'http://localhost:11434/v1', local: true },
  lmstudio: { api: 'openai-completions', baseUrl: 'http://localhost:1234/v1', local: true },
  vllm: { api: 'openai-completions', baseUrl: 'http://localhost:8000/v1', local: true },
  llamacpp: { api: 'openai-completions', baseUrl: 'http://localhost:8080/v1', local: true },
}
