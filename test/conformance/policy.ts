// The chapter of the policy.
import type { Chapter } from './chapter.ts'
import { policyRules } from './policy-rules.ts'
import { policyShell } from './policy-shell.ts'

export const policy: Chapter = {
  title: 'The policy',
  about:
    '[security-commands.md](security-commands.md) has the table of shell commands, [security.md](security.md) that of decisions.',
  sections: [...policyRules, ...policyShell],
}
