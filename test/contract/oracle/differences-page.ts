// Builds the tables of docs/oracle.md from the data that the run compares with.
import { eventsOfOurOwn } from './play-rxpi.ts'
import { reasons } from './reasons.ts'
import type { Situation } from './situation.ts'
import { wordings } from './wordings.ts'

/** The tables of docs/oracle.md: differences, events of our own, wordings. */
export function differencesPage(situations: readonly Situation[]): string {
  const differences = Object.entries(reasons).map(([name, { where, why }]) => {
    const names = situations.filter(({ differs = [] }) => differs.some(({ because }) => because === name))
    return [name, where, why, names.map((each) => each.name).join('; ')]
  })
  return [
    table(['Difference', 'Source', 'Reason', 'Situations'], differences),
    table(
      ['Event of rxpi only', 'Source and reason'],
      Object.entries(eventsOfOurOwn).map(([type, why]) => [`\`${type}\``, why]),
    ),
    table(
      ['Text with other words', 'Source and reason'],
      wordings.map(({ kind, why }) => [kind, why]),
    ),
  ].join('\n\n')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
