// The chapter of the policy.
import type { Chapter } from './chapter.ts'
import { policyShell } from './policy-shell.ts'

export const policy: Chapter = {
  title: 'The policy',
  about: '[security-commands.md](security-commands.md) has the table of shell commands.',
  sections: [...policyShell],
}
