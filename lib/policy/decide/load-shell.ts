// Loads the analysis of shell commands on first use: most sessions start long before they run a command.
import type { AnalyseOptions, CommandAnalysis } from '../shell/model/command-analysis.ts'

/** The parts of the shell room that a decision needs. */
export interface ShellReader {
  analyse(command: string, options: AnalyseOptions): CommandAnalysis
  covers(patterns: readonly string[], analysis: CommandAnalysis, options: { readonly workspace: string }): boolean
}

export async function loadShell(): Promise<ShellReader> {
  const [{ analyseCommand }, { isCoveredBy }] = await Promise.all([
    import('../shell/analyse-command.ts'),
    import('../shell/command-patterns.ts'),
  ])
  return { analyse: analyseCommand, covers: isCoveredBy }
}
