// Texts of the protocol page: the commands about keys.
import type { CommandGroup } from './protocol-note.ts'

const workspace = { cwd: '/home/ada/project', env: { HOME: '/home/ada' } }

const login = { loginId: 'abcdefg2', provider: 'xai', title: 'xAI (SuperGrok, X Premium)', method: 'device' } as const

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
        does: 'Returns the sources of the keys of each provider, never a key. `used` keys are sent, in this order: environment, that of the server\'s start (`ofServer`), the account, stored keys, `models.json`.',
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
  {
    title: 'Accounts of plans',
    commands: {
      auth_login: {
        does: 'Begins a sign-in to a plan on the server (accounts.md). The answer shows its first step; `auth_login_wait` shows the next ones. A sign-in that is under way for the same provider, method and domain is answered in place of a new one, so that it survives a lost connection. It ends after 10 minutes in a browser, and with its code on another device. The tokens are stored as keys are; no answer contains them.',
        errors: ['bad_request', 'bad_config', 'busy'],
        ask: { ...workspace, provider: 'xai' },
        answer: { login: { ...login, revision: 0, step: 'starting' } },
      },
      auth_login_wait: {
        does: 'Answers when the revision of the sign-in is another one, when it is over (`done`, `failed`, `cancelled`), or after 25 s with the same state.',
        errors: ['bad_request'],
        ask: { loginId: login.loginId, revision: 0 },
        answer: {
          login: {
            ...{ ...login, revision: 1, step: 'device_code', url: 'https://accounts.x.ai/device' },
            ...{ userCode: 'ABCD-1234', expiresAt: 1_700_000_600_000 },
          },
        },
      },
      auth_login_input: {
        does: 'Gives a sign-in in a browser the address of the last page, `code#state`, or the code, for a browser on another machine.',
        errors: ['bad_request'],
        ask: { loginId: login.loginId, text: 'http://localhost:1455/auth/callback?code=c1&state=s1' },
        answer: { login: { ...login, method: 'browser', revision: 1, step: 'finishing' } },
      },
      auth_login_cancel: {
        does: 'Ends a sign-in; nothing is stored.',
        errors: ['bad_request'],
        ask: { loginId: login.loginId },
        answer: { login: { ...login, revision: 2, step: 'cancelled' } },
      },
      auth_accounts: {
        does: 'Lists the vendors that rxpi can sign in to, with the account that is stored.',
        errors: ['bad_config'],
        ask: {},
        answer: {
          vendors: [
            {
              ...{ provider: 'xai', title: login.title, methods: ['device'] },
              account: { accountId: 'k3v7pq2a', plan: 'super', expiresAt: 1_700_003_600_000 },
            },
          ],
        },
      },
      auth_logout: {
        does: 'Removes the account of a provider and its tokens from this machine. The vendor still lists the sign-in (accounts.md).',
        errors: ['bad_request', 'bad_config', 'storage'],
        ask: { provider: 'xai' },
        answer: { removed: 1 },
      },
    },
  },
]
