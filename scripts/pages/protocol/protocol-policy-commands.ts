// Texts of the protocol page: the commands about the policy.
import type { CommandGroup } from './protocol-note.ts'
import { session } from './protocol-samples.ts'

const workspace = { cwd: '/home/ada/project', env: { HOME: '/home/ada' } }
const file = '/home/ada/.claude/settings.json'
const requests = { decision: 'ask', reason: 'It publishes a package: npm publish.', class: 'publishing', tier: 'medium', by: 'class' } // prettier-ignore

export const policyCommandGroups: readonly CommandGroup[] = [
  {
    title: 'The policy',
    commands: {
      policy_explain: {
        does: 'Decides about a call as a new session in `cwd` would, and runs nothing. `by` is the layer that decided: `protected`, `class`, `rule`, `capability`, `mode`, `sandbox`, `hook` or `remembered`. `pattern` is the allow rule that would cover the call. `approve` and `sandbox` replace the modes of the settings; a sandbox that `sandbox` names counts as working on this machine, and a tool that changes files in `read-only` is denied. `sandboxed` is an earlier form: true is `workspace`, false is `off`.',
        errors: ['bad_config', 'storage'],
        ask: { ...workspace, tool: 'bash', args: { command: 'npm publish' } },
        answer: { ...requests, mode: 'writes', sandboxed: false },
      },
      policy_import: {
        does: 'Translates the permissions of a settings file of Claude Code or rxpi. Each rule has its form here, or the reason why it has none. It writes nothing; `config_set` of `permissions.allow` does. Refused (`bad_request`) if the file cannot be read or has no permissions.',
        errors: ['bad_config', 'storage'],
        ask: { ...workspace, file },
        answer: { file, rules: [{ list: 'allow', text: 'Bash(npm run test:*)', rule: 'bash(npm run test *)' }], notes: [] },
      },
      policy_audit: {
        does: 'Lists the decisions about tool calls that the log of a session, or a session file by its absolute path, holds: the last 1,000, or `limit`.',
        errors: ['unknown_session', 'storage'],
        ask: { session, limit: 1 },
        answer: {
          decisions: [{ seq: 7, at: 1_700_000_000_300, toolCallId: 'call_1', tool: 'bash', args: { command: 'npm publish' }, ...requests }],
          total: 1,
        },
      },
    },
  },
]
