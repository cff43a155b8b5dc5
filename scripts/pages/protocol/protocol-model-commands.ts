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
      update_models: {
        does: 'Fetches newer data of the catalogue, `check` only reports it, `reset` returns to the data of rxpi. The machine’s npm fetches the package, with the registry of the client’s environment and `.npmrc`. rxpi compares its SHA-512 with that of the registry, reads JSON data from it, and runs no code of it. `$RXPI_HOME/catalogue.json` has the result; models are resolved with it from then on. If the command fails, nothing has changed, and `data.reason` is `offline`, `not_found`, `npm`, `integrity`, `shape` (data that this rxpi cannot read) or `older`.',
        errors: ['bad_request', 'storage'],
        ask: { cwd: '/home/ada/project', env: { HOME: '/home/ada' } },
        answer: {
          source: { name: 'a-package', version: '1.6.0', date: '2026-12-01', licence: 'MIT', at: 1_796_000_000_000 },
          latest: { version: '1.6.0', date: '2026-12-01' },
          newer: true,
          changed: true,
          models: 1240,
        },
      },
    },
  },
]
