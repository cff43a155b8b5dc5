// Lists the vendors whose accounts rxpi can sign in to: addresses, client ids and scopes.
// The facts are those of `@earendil-works/pi-ai` 0.87.1 (MIT).
import type { AccountVendor } from './account-vendor.ts'

const openAi = 'https://auth.openai.com'
const copilotEditor = {
  'user-agent': 'GitHubCopilotChat/0.35.0',
  'editor-version': 'vscode/1.107.0',
  'editor-plugin-version': 'copilot-chat/0.35.0',
  'copilot-integration-id': 'vscode-chat',
}

export const accountVendors: readonly AccountVendor[] = [
  {
    provider: 'openai-codex',
    title: 'ChatGPT plan (Plus, Pro, Business)',
    origin: 'https://chatgpt.com',
    clientId: 'app_EMoamEEZ73f0CkXaXp7hrann',
    scope: 'openid profile email offline_access',
    issuer: openAi,
    tokenUrl: `${openAi}/oauth/token`,
    browser: {
      authorizeUrl: `${openAi}/oauth/authorize`,
      redirect: { host: 'localhost', port: 1455, path: '/auth/callback' },
      parameters: {
        id_token_add_organizations: 'true',
        codex_cli_simplified_flow: 'true',
        originator: 'rxpi',
      },
    },
    device: {
      startUrl: `${openAi}/api/accounts/deviceauth/usercode`,
      codex: {
        pollUrl: `${openAi}/api/accounts/deviceauth/token`,
        pageUrl: `${openAi}/codex/device`,
        redirectUrl: `${openAi}/deviceauth/callback`,
      },
    },
  },
  {
    provider: 'anthropic',
    title: 'Claude plan (Pro, Max)',
    terms:
      'Anthropic allows its plans in its own applications only: it may refuse or bill requests of rxpi, or close the account (docs/accounts.md).',
    origin: 'https://api.anthropic.com',
    clientId: '9d1c250a-e61b-44d9-88ed-5944d1962f5e',
    scope: 'org:create_api_key user:profile user:inference user:sessions:claude_code user:mcp_servers user:file_upload',
    tokenUrl: 'https://platform.claude.com/v1/oauth/token',
    tokenBody: 'json',
    browser: {
      authorizeUrl: 'https://claude.ai/oauth/authorize',
      redirect: { host: 'localhost', port: 53_692, path: '/callback' },
      parameters: { code: 'true' },
      repeatsState: true,
    },
  },
  {
    provider: 'github-copilot',
    title: 'GitHub Copilot',
    origin: 'https://api.individual.githubcopilot.com',
    clientId: 'Iv1.b507a08c87ecfe98',
    scope: 'read:user',
    tokenUrl: 'https://{domain}/login/oauth/access_token',
    headers: copilotEditor,
    device: { startUrl: 'https://{domain}/login/device/code' },
    exchange: 'copilot',
    domain: 'github.com',
  },
  {
    provider: 'xai',
    title: 'xAI (SuperGrok, X Premium)',
    origin: 'https://api.x.ai',
    clientId: 'b1a00492-073a-47ea-816f-4c329264a828',
    scope: 'openid profile email offline_access grok-cli:access api:access',
    tokenUrl: 'https://auth.x.ai/oauth2/token',
    device: { startUrl: 'https://auth.x.ai/oauth2/device/code', parameters: { referrer: 'rxpi' } },
  },
  {
    provider: 'kimi-coding',
    title: 'Kimi Code',
    origin: 'https://api.kimi.com',
    clientId: '17e5f671-d194-4dfb-9706-5516cb48c098',
    tokenUrl: 'https://auth.kimi.com/api/oauth/token',
    device: { startUrl: 'https://auth.kimi.com/api/oauth/device_authorization' },
  },
  {
    provider: 'meta',
    title: 'Meta (Muse)',
    origin: 'https://api.meta.ai',
    clientId: '1031625952748946',
    tokenUrl: 'https://auth.meta.com/oidc/device/token/',
    device: { startUrl: 'https://auth.meta.com/oidc/device/authorization/' },
    exchange: 'meta',
  },
  {
    provider: 'openrouter',
    title: 'OpenRouter (sign-in for a key)',
    origin: 'https://openrouter.ai',
    clientId: 'rxpi',
    tokenUrl: 'https://openrouter.ai/api/v1/auth/keys',
    browser: {
      authorizeUrl: 'https://openrouter.ai/auth',
      redirect: { host: '127.0.0.1', path: '/oauth/callback' },
      form: 'openrouter',
    },
  },
]

export function accountVendor(provider: string): AccountVendor | undefined {
  return accountVendors.find((vendor) => vendor.provider === provider)
}
