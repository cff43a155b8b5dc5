// The page's tables are made from the data that the run compares with, so that they cannot say anything else.
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
    table(['Difference', 'Asked for by', 'Why', 'Situations'], differences),
    table(
      ['Event that only rxpi tells', 'Asked for by'],
      Object.entries(eventsOfOurOwn).map(([type, why]) => [`\`${type}\``, why]),
    ),
    table(
      ['Said in words of its own', 'Asked for by'],
      wordings.map(({ kind, why }) => [kind, why]),
    ),
  ].join('\n\n')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
