// Reads the rules of a session: those of the user's settings with their examples, and the remembered ones.
// Guarantees: the rules are those of the call; a later change on disk changes nothing (docs/design/security.md#S14).
import { defer, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Permissions } from '../../streams/config/permissions.ts'
import type { RuleRoots } from './path-glob.ts'
import { readRememberedRules } from './remembered-rules.ts'
import { checkExamples, createRuleSet, hasCommandExamples, joinRuleSets } from './rule-set.ts'
import type { ReadExample, RuleOrigin, RuleSet } from './rule-set.ts'

export interface WrittenRules {
  readonly permissions: Permissions
  /** `settings.json`, absolute, for error messages. */
  readonly file: string
  /** `$RXPI_HOME`, which has the remembered rules. Absent: none are read. */
  readonly home?: string
  readonly roots: RuleRoots
  /** Loads the reader of shell commands; subscribed to only if an example is a command. */
  readonly loadReader: (roots: RuleRoots) => Observable<ReadExample>
}

/**
 * Emits once and completes; synchronous without examples of commands. Fails with `bad_config` that names file, rule and
 * example.
 */
export function readRules({ permissions, file, home, roots, loadReader }: WrittenRules): Observable<RuleSet> {
  return defer(() => {
    const origin: RuleOrigin = { source: 'user', file }
    const own = createRuleSet(permissions, roots, origin)
    const rules = home === undefined ? own : joinRuleSets(own, readRememberedRules(home, roots))
    const reader$ = hasCommandExamples(permissions) ? loadReader(roots) : of(noCommands)
    return reader$.pipe(
      map((read) => {
        checkExamples(permissions, roots, origin, read)
        return rules
      }),
    )
  })
}

/** For rules whose examples are paths and domains. */
const noCommands: ReadExample = () => ({ commands: [] })
