// Those who pass requests on to many providers' models; the keys of some of them open more than models and choose nothing unasked.
import { completions } from '../openai/completions/completions-manners.ts'
import type { Preset } from './preset.ts'

export const gatewayPresets: Readonly<Record<string, Preset>> = {
  openrouter: {
    title: 'OpenRouter',
    api: 'openai-completions',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariable: 'OPENROUTER_API_KEY',
    defaultModel: 'anthropic/claude-sonnet-5.5',
    compat: completions({ thinkingForm: 'reasoning', replayThinking: true }),
  },
  vercel: {
    title: 'Vercel AI Gateway',
    api: 'openai-completions',
    baseUrl: 'https://ai-gateway.vercel.sh/v1',
    keyVariable: 'AI_GATEWAY_API_KEY',
    defaultModel: 'anthropic/claude-sonnet-5.5',
    compat: completions({ thinkingForm: 'reasoning' }),
  },
  requesty: {
    title: 'Requesty',
    api: 'openai-completions',
    baseUrl: 'https://router.requesty.ai/v1',
    keyVariable: 'REQUESTY_API_KEY',
  },
  poe: {
    title: 'Poe',
    api: 'openai-completions',
    baseUrl: 'https://api.poe.com/v1',
    keyVariable: 'POE_API_KEY',
  },
  huggingface: {
    title: 'Hugging Face',
    api: 'openai-completions',
    baseUrl: 'https://router.huggingface.co/v1',
    keyVariable: 'HF_TOKEN',
    sharedKey: true,
    defaultModel: 'zai-org/GLM-5.3',
  },
  'github-models': {
    title: 'GitHub Models',
    api: 'openai-completions',
    baseUrl: 'https://models.github.ai/inference',
    keyVariable: 'GITHUB_TOKEN',
    sharedKey: true,
    defaultModel: 'openai/gpt-5-mini',
    compat: completions({ maxTokensField: 'max_completion_tokens' }),
    note: 'the token needs the permission `models: read`; ids like `openai/gpt-5-mini`; no list of models is known',
  },
  'cloudflare-workers-ai': {
    title: 'Cloudflare Workers AI',
    api: 'openai-completions',
    baseUrl: 'https://api.cloudflare.com/client/v4/accounts/{CLOUDFLARE_ACCOUNT_ID}/ai/v1',
    keyVariable: 'CLOUDFLARE_API_TOKEN',
    otherKeyVariables: ['CLOUDFLARE_API_KEY'],
    sharedKey: true,
    defaultModel: '@cf/zai-org/glm-5.3',
    note: '`CLOUDFLARE_ACCOUNT_ID` is the account',
  },
  bedrock: {
    title: 'Amazon Bedrock',
    api: 'openai-completions',
    baseUrl: 'https://bedrock-runtime.{AWS_REGION}.amazonaws.com/openai/v1',
    keyVariable: 'AWS_BEARER_TOKEN_BEDROCK',
    sharedKey: true,
    defaultModel: 'openai.gpt-oss-120b-1:0',
    note: 'only its OpenAI-compatible part; `AWS_REGION` is the region',
  },
}
