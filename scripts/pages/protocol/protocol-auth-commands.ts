// Texts of the protocol page: the commands about keys.
import type { CommandGroup } from './protocol-note.ts'

const workspace = { cwd: '/home/ada/project', env: { HOME: '/home/ada' } }

export const authCommandGroups: readonly CommandGroup[] = [
  {
    title: 'Keys of providers',
    commands: {
      auth_set: {
        does: 'Stores a key for a provider. The key is bound to the address of the provider with this `env` and goes to no other address. It is stored in the keychain if that works (`keyStorage`), else in a file of mode 0600 in `$RXPI_HOME`; `notices` report that. `key` is the key itself, `$VARIABLE` or `!command`. Without `add` it replaces the stored keys of this provider and address. With `add` the next key is used when one has reached a limit. Open sessions use it from the next request on. `defaultModel` is the model of this provider that is used if no other is named.',
        errors: ['bad_config', 'provider_error', 'storage'],
        ask: { ...workspace, provider: 'openai', key: '!pass show openai' },
        answer: {
          keyId: 'k3v7pq2a',
          kept: 'file',
          origin: 'https://api.openai.com',
          defaultModel: 'openai/gpt-6-sol',
          notices: [],
        },
      },
      auth_list: {
        does: 'Returns the sources of the keys of each provider, never a key. `used` keys are sent, in this order: environment, that of the server\'s start (`ofServer`), stored keys, `models.json`.',
        errors: ['bad_config'],
        ask: workspace,
        answer: {
          providers: [
            {
              provider: 'openai',
              keys: [{ from: 'environment', kind: 'variable', name: 'OPENAI_API_KEY', tail: '…wxyz', used: true }],
            },
          ],
        },
      },
      auth_remove: {
        does: 'Removes the stored key `keyId`, or all that are stored for the provider.',
        errors: ['bad_config', 'storage'],
        ask: { ...workspace, provider: 'openai' },
        answer: { removed: 1 },
      },
      auth_verify: {
        does: 'Asks the provider whether `key` is valid; without `key`, the key that a request would use. It costs no tokens. `unreachable`: the key was not checked. `unknown`: the endpoint has no such check.',
        errors: ['bad_config', 'provider_error'],
        ask: { ...workspace, provider: 'openai' },
        answer: { outcome: 'valid', message: 'openai accepts the key.' },
      },
    },
  },
]
