// Reads the rules of a session: those of the user's settings with their examples, and remembered ones.
// Guarantees: the rules are those of the call; a later change on disk changes nothing (docs/design/security.md#S14).
import { defer, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Permissions } from '../../streams/config/permissions.ts'
import type { RuleRoots } from './path-glob.ts'
import { readRememberedRules } from './remembered-rules.ts'
import { checkExamples, createRuleSet, hasCommandExamples, joinRuleSets } from './rule-set.ts'
import type { ReadExample, RuleOrigin, RuleSet } from './rule-set.ts'

/** The rules of a trusted project; they only tighten. */
export interface ProjectRules {
  /** The project's `settings.json`, absolute. */
  readonly file: string
  readonly permissions: Pick<Permissions, 'ask' | 'deny'>
}

export interface WrittenRules {
  readonly permissions: Permissions
  /** `settings.json`, absolute, for error messages. */
  readonly file: string
  readonly project?: ProjectRules | undefined
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
export function readRules({ permissions, file, project, home, roots, loadReader }: WrittenRules): Observable<RuleSet> {
  return defer(() => {
    const layers = [{ permissions, origin: { source: 'user', file } as const }, ...layerOf(project)]
    const written = layers.map((layer) => createRuleSet(layer.permissions, roots, layer.origin))
    const rules = joinRuleSets(...written, ...(home === undefined ? [] : [readRememberedRules(home, roots)]))
    const needsReader = layers.some((layer) => hasCommandExamples(layer.permissions))
    const reader$ = needsReader ? loadReader(roots) : of(noCommands)
    return reader$.pipe(
      map((read) => {
        for (const layer of layers) checkExamples(layer.permissions, roots, layer.origin, read)
        return rules
      }),
    )
  })
}

/** An allow rule does not count, whatever the caller passes. */
function layerOf(
  project: ProjectRules | undefined,
): readonly { readonly permissions: Permissions; readonly origin: RuleOrigin }[] {
  if (project === undefined) return []
  const { ask = [], deny = [] } = project.permissions
  return [{ permissions: { ask, deny }, origin: { source: 'project', file: project.file } }]
}

/** For rules whose examples are paths and domains. */
const noCommands: ReadExample = () => ({ commands: [] })
