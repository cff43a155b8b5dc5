// The rules about who is not trusted: what a model says, what a tool prints, what a folder holds, other users, other pages.
import type { Chapter } from './chapter.ts'
import { securityPower } from './security-power.ts'
import { securityWorld } from './security-world.ts'

export const security: Chapter = {
  title: 'Security',
  about:
    'Not trusted are: what a model says, what a tool prints, what a folder holds, a session from elsewhere, other users of the machine, other web origins. Trusted are a person whose client passed the checks of the socket, and files that only this person can write.',
  sections: [...securityPower, ...securityWorld],
}
