// The compared agents: packages, configuration for the mock model, command for one prompt.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface Agent {
  readonly name: string
  /** `name@version` on npm; absent: this clone. */
  readonly package?: string
  /** Its install script below `node_modules`, if it does not run without: it puts the platform's binary in place. */
  readonly script?: string
  /** The command in `node_modules/.bin`. */
  readonly command: string
  /** Of the wire that the agent speaks, for the page. */
  readonly wire: string
  /** Writes its configuration. @returns its arguments and variables for one prompt */
  prepare(around: { readonly home: string; readonly baseUrl: string; readonly prompt: string }): {
    readonly args: readonly string[]
    readonly env: Readonly<Record<string, string>>
  }
}

function pi(version: string): Agent {
  return {
    ...{ name: `pi ${version}`, package: `@earendil-works/pi-coding-agent@${version}`, command: 'pi' },
    wire: 'chat completions',
    prepare: ({ home, baseUrl, prompt }) => {
      const provider = { baseUrl: `${baseUrl}/v1`, api: 'openai-completions', apiKey: 'mock', models: [{ id: 'mock' }] }
      write(home, '.pi/agent/models.json', JSON.stringify({ providers: { mock: provider } }))
      return {
        args: ['--offline', '--model', 'mock/mock', '-p', prompt],
        env: { PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' },
      }
    },
  }
}

/** @param version of rxpi */
export function agents(version: string): Agent[] {
  return [
    {
      ...{ name: `rxpi ${version}`, command: 'rxpi', wire: 'chat completions' },
      prepare: ({ baseUrl, prompt }) => ({
        args: ['--model', 'openai/mock', '-p', prompt],
        env: { OPENAI_BASE_URL: `${baseUrl}/v1`, OPENAI_API_KEY: 'mock' },
      }),
    },
    pi('0.87.1'),
    pi('1.5.2'),
    {
      ...{ name: 'codex 0.171.0', package: '@openai/codex@0.171.0', command: 'codex' },
      wire: 'responses',
      prepare: ({ home, baseUrl, prompt }) => {
        const provider = `[model_providers.mock]\nname = "mock"\nbase_url = "${baseUrl}/v1"\nenv_key = "MOCK_KEY"\nwire_api = "responses"\n`
        write(home, '.codex/config.toml', `model = "mock"\nmodel_provider = "mock"\n${provider}`)
        return { args: ['exec', '--skip-git-repo-check', prompt], env: { MOCK_KEY: 'mock' } }
      },
    },
    {
      ...{ name: 'opencode 1.18.33', package: 'opencode-ai@1.18.33', command: 'opencode' },
      ...{ wire: 'chat completions', script: 'opencode-ai/postinstall.mjs' },
      prepare: ({ home, baseUrl, prompt }) => {
        const provider = {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${baseUrl}/v1`, apiKey: 'mock' },
          models: { mock: { name: 'mock' } },
        }
        const config = { provider: { mock: provider }, model: 'mock/mock', small_model: 'mock/mock', autoupdate: false }
        write(home, '.config/opencode/opencode.json', JSON.stringify(config))
        return { args: ['run', prompt], env: {} }
      },
    },
    {
      ...{ name: 'Claude Code 2.1.332', package: '@anthropic-ai/claude-code@2.1.332' },
      ...{ command: 'claude', wire: 'messages', script: '@anthropic-ai/claude-code/install.cjs' },
      prepare: ({ baseUrl, prompt }) => ({
        args: ['-p', prompt, '--model', 'mock'],
        env: {
          ...{ ANTHROPIC_BASE_URL: baseUrl, ANTHROPIC_API_KEY: 'mock' },
          ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
        },
      }),
    },
  ]
}

function write(home: string, name: string, text: string): void {
  const file = path.join(home, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}
