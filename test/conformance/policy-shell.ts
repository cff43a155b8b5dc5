// The promises of the analysis of shell commands.
import type { Section } from './chapter.ts'

export const policyShell: readonly Section[] = [
  {
    id: 'POLICY-shell',
    about: 'The analysis of shell commands.',
    cases: {
      'POLICY-shell-classes':
        'Every command of the published table gets its classes; harmless ones that only name dangerous words pass; what cannot be known is unknown.',
      'POLICY-shell-disguise':
        'A critical command stays critical or unknown under quotes, escapes, variables, substitutions, wrappers, functions and nested texts.',
      'POLICY-shell-bounds': 'The analysis of any text ends quickly; what exceeds its bounds is unknown.',
      'POLICY-shell-files':
        'The analysis names the files that a command visibly reads and writes, in the folder that `cd` leads to.',
      'POLICY-shell-decisions':
        'In the mode `auto`, without a sandbox, every harmless command of the table runs unasked and no critical one does.',
    },
  },
]
