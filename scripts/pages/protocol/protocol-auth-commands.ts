// Each command about people's keys, as the page of the protocol tells it.
import type { CommandGroup } from './protocol-note.ts'

const place = { cwd: '/home/ada/project', env: { HOME: '/home/ada' } }

export const authCommandGroups: readonly CommandGroup[] = [
  {
    title: 'Keys of providers',
    commands: {
      auth_set: {
        does: 'Stores a key for a provider, bound to the address that the provider has with this `env`, which no other will be sent it; in the machine’s keychain where that works (`keyStorage`), else in a file of mode 0600 in `$RXPI_HOME`, which `notices` say. `key` is the key itself, `$VARIABLE` or `!command`. Without `add` it takes the place of those that are stored for this provider and address; with it they are asked with in turn where one has reached a limit. Open sessions use it from the next request on. `defaultModel` is what can be asked with it where nobody names another.',
        errors: ['bad_config', 'provider_error', 'storage'],
        ask: { ...place, provider: 'openai', key: '!pass show openai' },
        answer: {
          keyId: 'k3v7pq2a',
          kept: 'file',
          origin: 'https://api.openai.com',
          defaultModel: 'openai/gpt-6-sol',
          notices: [],
        },
      },
      auth_list: {
        does: 'Where the keys come from, of each provider that has one; never a key. `used` ones are sent, in their order: the environment’s goes before those that are stored, and these before those of `models.json`.',
        errors: ['bad_config'],
        ask: place,
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
        ask: { ...place, provider: 'openai' },
        answer: { removed: 1 },
      },
      auth_verify: {
        does: 'Asks the provider whether `key` is right, or without one the key that requests would be sent with. It costs no tokens. `unreachable` says nothing of the key; `unknown`: the endpoint does not tell.',
        errors: ['bad_config', 'provider_error'],
        ask: { ...place, provider: 'openai' },
        answer: { outcome: 'valid', message: 'openai takes the key.' },
      },
    },
  },
]
