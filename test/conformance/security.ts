// The chapter of the security rules.
import type { Chapter } from './chapter.ts'
import { securityAttacks } from './security-attacks.ts'
import { securityPower } from './security-power.ts'
import { securityWorld } from './security-world.ts'

export const security: Chapter = {
  title: 'Security',
  about:
    'Not trusted: the output of models and tools, the content of a folder, foreign session files, other users of the machine, other web origins. Trusted: the person at a client that passed the socket’s checks, and files that only this person can write. [design/security.md](design/security.md) has the rules.',
  sections: [...securityPower, ...securityWorld, ...securityAttacks],
}
