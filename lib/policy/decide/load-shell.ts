// Loads the analysis of shell commands on first use, so that a session starts without it.
import { defer, from, map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { RuleRoots } from '../rules/path-glob.ts'
import type { ReadExample } from '../rules/rule-set.ts'
import type { CoverageOptions } from '../shell/command-patterns.ts'
import type { AnalyseOptions, CommandAnalysis } from '../shell/model/command-analysis.ts'

/** The functions of lib/policy/shell that a decision needs. */
export interface ShellReader {
  analyse(command: string, options: AnalyseOptions): CommandAnalysis
  covers(patterns: readonly string[], analysis: CommandAnalysis, options: CoverageOptions): boolean
}

export async function loadShell(): Promise<ShellReader> {
  const [{ analyseCommand }, { isCoveredBy }] = await Promise.all([
    import('../shell/analyse-command.ts'),
    import('../shell/command-patterns.ts'),
  ])
  return { analyse: analyseCommand, covers: isCoveredBy }
}

/** Emits a reader for the examples of rules, and completes. */
export function loadExampleReader({ folder, home }: RuleRoots): Observable<ReadExample> {
  return defer(() => from(loadShell())).pipe(
    map(
      ({ analyse }) =>
        (text) =>
          analyse(text, { cwd: folder, home }),
    ),
  )
}
