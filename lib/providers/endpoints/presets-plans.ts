// Presets of providers that only a plan opens: a person signs in, no key serves.
// The facts are those of `@earendil-works/pi-ai` 0.87.1 (MIT).
import type { Preset } from './preset.ts'

export const planPresets: Readonly<Record<string, Preset>> = {
  'openai-codex': {
    title: 'ChatGPT plan (Codex)',
    api: 'openai-responses',
    baseUrl: 'https://chatgpt.com/backend-api/codex',
    defaultModel: 'gpt-6.1-sol',
    inputs: ['text', 'image'],
    account: {
      required: true,
      headers: { accept: 'text/event-stream', originator: 'rxpi', 'openai-beta': 'responses=experimental' },
      requestHeaders: 'codex',
    },
    compat: { 'openai-responses': { codex: true, messageParts: true } },
    note: 'sign in with `rxpi auth login`; costs are unknown',
  },
  'github-copilot': {
    title: 'GitHub Copilot',
    api: 'openai-completions',
    apisByModel: [
      [/^claude-/, 'anthropic-messages'],
      [/^(gpt|grok|mai|o\d)-/, 'openai-responses'],
    ],
    baseUrl: 'https://api.individual.githubcopilot.com',
    defaultModel: 'gpt-6.1-sol',
    inputs: ['text', 'image'],
    account: {
      required: true,
      // the headers of the sign-in whose token it is
      headers: {
        'user-agent': 'GitHubCopilotChat/0.35.0',
        'editor-version': 'vscode/1.107.0',
        'editor-plugin-version': 'copilot-chat/0.35.0',
        'copilot-integration-id': 'vscode-chat',
        'openai-intent': 'conversation-edits',
      },
      requestHeaders: 'copilot',
    },
    compat: {
      'openai-completions': { maxTokensField: 'max_completion_tokens', strictField: true, replayThinking: true },
      'openai-responses': { systemPrompt: 'developer', messageParts: true },
    },
    note: 'sign in with `rxpi auth login`; the API is that of the model; costs are unknown',
  },
}
