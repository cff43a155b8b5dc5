// Commands are found here, files by the server, which knows what the folder ignores; the best match comes first.
import fuzzysort from 'fuzzysort'
import { catchError, map, of, switchMap, timer } from 'rxjs'
import { offeredCommands } from '../commands/slash-commands.ts'
import type { SlashCommand } from '../commands/slash-command.ts'
import type { Ui } from '../contract/ui.ts'
import type { FindSuggestions, Suggestion } from './completion.ts'

/** Milliseconds that a person has for the next letter before the server is asked. */
const pause = 40
const mostFiles = 50

/** Of the session that is shown. */
export function findSuggestions(ui: Ui): FindSuggestions {
  return ({ kind, query }) => {
    if (kind === 'command') return of(commandsFor(offeredCommands(ui.now()), query))
    const { session } = ui.now()
    if (session === undefined) return of([])
    return timer(pause).pipe(
      switchMap(() => ui.request({ type: 'find_files', session: session.id, query, limit: mostFiles })),
      map(({ files }) => files.map(fileSuggestion)),
      catchError(() => of([])), // no list: the path can be written out
    )
  }
}

/** A folder is gone into; a file is done. A path with a space stands in quotes. */
export function fileSuggestion(path: string): Suggestion {
  const isFolder = path.endsWith('/')
  const quoted = /[\s"]/.test(path) ? `@"${path}${isFolder ? '' : '"'}` : `@${path}`
  return { label: path, value: isFolder ? quoted : `${quoted} ` }
}

/** Those whose name or alias has the letters of the query in their order; all of them, in the table's order, for none. */
export function commandsFor(commands: readonly SlashCommand[], query: string): readonly Suggestion[] {
  if (query === '') return commands.map((command) => suggestion(command, command.name))
  const names = commands.flatMap((command) =>
    [command.name, ...(command.aliases ?? [])].map((name) => ({ name, command })),
  )
  const found = fuzzysort.go(query, names, { key: 'name' }).map(({ obj }) => obj)
  const best = found.filter(({ command }, index) => found.findIndex((other) => other.command === command) === index)
  return best.map(({ command, name }) => suggestion(command, name))
}

function suggestion({ argument, description }: SlashCommand, name: string): Suggestion {
  const label = argument === undefined ? `/${name}` : `/${name} ${argument}`
  return { label, value: `/${name} `, description }
}
