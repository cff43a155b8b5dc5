// Texts of the protocol page: the command about models.
import type { CommandGroup } from './protocol-note.ts'

export const modelCommandGroups: readonly CommandGroup[] = [
  {
    title: 'Models',
    commands: {
      list_models: {
        does: 'Returns the known models: those of the catalogue (without network), of `models.json`, and of local endpoints, which have three times `localModels.withinMs` to respond. Available models come first; with `search` the best match comes first. Models that are not listed can be used too. `session` adds those that the extensions of an open session offer.',
        errors: ['bad_config'],
        ask: { cwd: '/home/ada/project', env: { GROQ_API_KEY: '…' }, search: 'gpt-oss 120b', limit: 1 },
        answer: {
          models: [
            {
              model: {
                id: 'openai/gpt-oss-120b',
                provider: 'groq',
                api: 'openai-completions',
                name: 'GPT OSS 120B',
                contextWindow: 131_072,
                maxOutput: 65_536,
                inputs: ['text'],
                reasoning: true,
                prices: { input: 0.15, output: 0.6, cacheRead: 0.075 },
              },
              usable: true,
              served: false,
            },
          ],
          total: 9,
          endpoints: [{ provider: 'ollama', baseUrl: 'http://localhost:11434/v1', problem: 'the endpoint does not answer' }],
          source: { name: 'a-package', version: '1.5.2', date: '2026-11-10', licence: 'MIT' },
        },
      },
    },
  },
]
