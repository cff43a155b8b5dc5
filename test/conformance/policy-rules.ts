// Promises of permission rules and of the commands about the policy.
import type { Section } from './chapter.ts'
import { policyCalls } from './policy-calls.ts'

export const policyRules: readonly Section[] = [
  {
    id: 'POLICY',
    about: 'Rules about tool calls, and the questions about them.',
    cases: {
      'POLICY-rules':
        'Rules have one form, Claude Code’s is understood; a broken rule or a missed example is a clear error.',
      'POLICY-commands': '`rxpi policy explain` prints decision, reason, class and rule, and runs nothing.',
      'POLICY-import':
        'The permissions of Claude Code are translated one by one; those without a counterpart have a reason.',
      'POLICY-audit': 'The decisions of a log are listed with their calls, by session or file.',
      'POLICY-examples':
        'A rule whose examples are missed opens no session: the error names file, key, rule and example.',
      ...policyCalls,
    },
  },
]
