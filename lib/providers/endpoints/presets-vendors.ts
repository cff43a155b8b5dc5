// Those who make models, in the order in which a key decides: the first five with wires of their own, then the others.
import type { Preset } from './preset.ts'
import { makerPresets } from './presets-makers.ts'

export const vendorPresets: Readonly<Record<string, Preset>> = {
  openai: {
    title: 'OpenAI',
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
    compat: {
      'openai-completions': {
        maxTokensField: 'max_completion_tokens',
        promptCacheKey: true,
        storeField: true,
        structuredOutput: 'always',
      },
    },
  },
  anthropic: {
    title: 'Anthropic',
    api: 'anthropic-messages',
    baseUrl: 'https://api.anthropic.com',
    keyVariable: 'ANTHROPIC_API_KEY',
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    defaultModel: 'claude-sonnet-5-5',
    inputs: ['text', 'image'],
    compat: { 'anthropic-messages': { dialect: 'vendor' } },
  },
  google: {
    title: 'Google Gemini',
    api: 'google-generative-ai',
    baseUrl: 'https://generativelanguage.googleapis.com',
    keyVariable: 'GEMINI_API_KEY',
    baseUrlVariable: 'GOOGLE_GEMINI_BASE_URL',
    defaultModel: 'gemini-3.5-flash',
    inputs: ['text', 'image'],
  },
  vertex: {
    title: 'Google Vertex AI',
    api: 'google-vertex',
    baseUrl: 'https://aiplatform.googleapis.com',
    keyVariable: 'GOOGLE_API_KEY',
    insteadOfKey: 'GOOGLE_CLOUD_PROJECT',
    baseUrlVariable: 'GOOGLE_VERTEX_BASE_URL',
    vertexProjectVariable: 'GOOGLE_CLOUD_PROJECT',
    vertexLocationVariable: 'GOOGLE_CLOUD_LOCATION',
    sharedKey: true,
    vertexKeyFileVariable: 'GOOGLE_APPLICATION_CREDENTIALS',
    defaultModel: 'gemini-3.5-flash',
    catalogue: 'google',
    inputs: ['text', 'image'],
    compat: { 'google-vertex': { streamArguments: true } },
    compatEverywhere: { 'google-vertex': { callIds: false } },
  },
  azure: {
    title: 'Azure OpenAI',
    api: 'openai-responses',
    keyVariable: 'AZURE_OPENAI_API_KEY',
    baseUrlVariable: 'AZURE_OPENAI_ENDPOINT',
    apiVersionVariable: 'OPENAI_API_VERSION',
    catalogue: 'openai',
    inputs: ['text', 'image'],
    compatEverywhere: { 'openai-responses': { azure: true } },
  },
  ...makerPresets,
}
