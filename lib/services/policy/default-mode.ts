// Names the mode of approval of sessions for which neither a command nor the settings name one.
import type { ApprovalMode } from '../../streams/ports/policy.ts'

/** In a working sandbox calls run unasked; without one, changes and commands ask (docs/design/security.md#S6). */
export const defaultMode: ApprovalMode = 'writes'
