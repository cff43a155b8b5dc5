// Lists the presets of all known endpoints, and fills one in from a client's environment.
import type { Api } from '../adapter/merge-compat.ts'
import { regionOfModel } from '../bedrock/bedrock-region.ts'
import type { Preset } from './preset.ts'
import { hostPresets } from './presets-hosts.ts'
import { planPresets } from './presets-plans.ts'
import { vendorPresets } from './presets-vendors.ts'
import { Failure } from '../../streams/values/failure.ts'
import { getOwn } from '../../streams/values/json.ts'
import { completions } from '../openai/completions/openai-completions-options.ts'

type Env = Readonly<Record<string, string>>

/**
 * Returns the preset of that name, if there is one; without `baseUrl` if a variable of the address is not set.
 * @param id the model's: the region in an ARN comes before that of the environment
 * @throws Failure `bad_config` if such a variable contains no part of an address
 */
export function presetNamed(name: string, env: Env, id = ''): Preset | undefined {
  const preset = knownPreset(name)
  if (preset === undefined) return undefined
  const { baseUrl: template, ...rest } = preset
  const region = preset.awsVariables === undefined ? undefined : regionOfModel(id)
  const baseUrl =
    template === undefined ? undefined : filledIn(template, region === undefined ? env : { AWS_REGION: region })
  const keyVariable = setVariable(preset, env) ?? preset.keyVariable
  return {
    ...rest,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(keyVariable === undefined ? {} : { keyVariable }),
  }
}

/** Returns the preset of that name without an environment. */
export function knownPreset(name: string): Preset | undefined {
  return getOwn(presets, name)
}

/** The API of a model at the preset's own address. */
export function presetApi(preset: Preset | undefined, id: string, usual: Api): Api {
  return preset?.apisByModel?.find(([form]) => form.test(id))?.[1] ?? usual
}

/** The first of the preset's key variables that is set. */
export function setVariable({ keyVariable, otherKeyVariables = [] }: Preset, env: Env): string | undefined {
  const all = keyVariable === undefined ? [] : [keyVariable, ...otherKeyVariables]
  return all.find((variable) => env[variable]?.trim())
}

/** The variables that an address is made of. */
export function addressVariables(preset: Pick<Preset, 'baseUrl'> = {}): readonly string[] {
  return [...(preset.baseUrl ?? '').matchAll(inBraces)].flatMap(([, names = '']) => names.split(','))
}

const inBraces = /\{([\w,]+)\}/g

/** Undefined if a variable of it is not set. */
function filledIn(template: string, env: Env): string | undefined {
  const setName = (names: string): string | undefined => names.split(',').find((name) => env[name]?.trim())
  if ([...template.matchAll(inBraces)].some(([, names = '']) => setName(names) === undefined)) return undefined
  return template.replaceAll(inBraces, (_, names: string) => {
    const variable = setName(names) ?? ''
    const value = env[variable]?.trim() ?? ''
    if (/^[\w.-]+$/.test(value)) return value
    const message = `${variable} holds what cannot be a part of an address: letters, digits, -, _ and . only.`
    throw new Failure('bad_config', message)
  })
}

// Model servers of the user, at their default address on this machine.

const localPresets: Readonly<Record<string, Preset>> = {
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

// Gateways to many providers. Some of their keys serve for more than models, and choose no model.

const gatewayPresets: Readonly<Record<string, Preset>> = {
  openrouter: {
    title: 'OpenRouter',
    api: 'openai-completions',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariable: 'OPENROUTER_API_KEY',
    account: {},
    defaultModel: 'anthropic/claude-sonnet-5.5',
    compat: completions({ thinkingForm: 'reasoning', replayThinking: true, reasoningDetails: true }),
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
    api: 'bedrock-converse-stream',
    baseUrl: 'https://bedrock-runtime.{AWS_REGION,AWS_DEFAULT_REGION}.amazonaws.com',
    baseUrlVariable: 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME',
    keyVariable: 'AWS_BEARER_TOKEN_BEDROCK',
    insteadOfKey: 'AWS_ACCESS_KEY_ID',
    sharedKey: true,
    awsVariables: {
      accessKeyId: ['AWS_ACCESS_KEY_ID'],
      secretAccessKey: ['AWS_SECRET_ACCESS_KEY'],
      sessionToken: ['AWS_SESSION_TOKEN'],
      region: ['AWS_REGION', 'AWS_DEFAULT_REGION'],
    },
    missingKeyHelp:
      'An access key works too: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. rxpi reads no AWS profiles and asks no instance, container or web identity role: aws configure export-credentials --format env writes these variables.',
    defaultModel: 'openai.gpt-oss-120b-1:0',
    inputs: ['text', 'image'],
    note: 'or an access key; no profiles, no roles of instances',
  },
}

/**
 * Ordered by precedence: without a model's name, the first preset with a key decides. Vendors come first, then hosts of
 * open models, gateways and servers on this machine.
 */
export const presets: Readonly<Record<string, Preset>> = {
  ...vendorPresets,
  ...hostPresets,
  ...gatewayPresets,
  ...planPresets,
  ...localPresets,
}
