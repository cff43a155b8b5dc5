// Reads the table of shell commands with the classes that the analysis must give them.
import { readFileSync } from 'node:fs'
import path from 'node:path'

export interface CommandCase {
  readonly group: string
  readonly command: string
  /** Classes, sorted; empty for a command that passes or is unknown. */
  readonly classes: readonly string[]
  /** What the analysis must give: a class, nothing, or an incomplete analysis without a class. */
  readonly outcome: 'class' | 'passes' | 'unknown'
}

/** A line is `outcome: command`; `⏎` stands for a line end, `+` joins classes, and `# …` opens a group. */
export function commandCases(): readonly CommandCase[] {
  const cases: CommandCase[] = []
  let group = ''
  for (const line of readFileSync(path.join(import.meta.dirname, 'command-cases.txt'), 'utf8').split('\n')) {
    if (line.startsWith('# ')) group = line.slice(2)
    if (line === '' || line.startsWith('# ')) continue
    const at = line.indexOf(': ')
    const outcome = line.slice(0, at)
    const command = line.slice(at + 2).replaceAll('⏎', '\n')
    const isPlain = outcome === 'passes' || outcome === 'unknown'
    cases.push({
      group,
      command,
      classes: isPlain ? [] : outcome.split('+').sort(),
      outcome: isPlain ? outcome : 'class',
    })
  }
  return cases
}
