// Finds suggestions: commands in the table, files through the server, best match first.
import fuzzysort from 'fuzzysort'
import { catchError, combineLatest, concat, map, of, switchMap, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { PromptCommand } from '../../../lib/streams/ports/prompt-commands.ts'
import { offeredCommands } from '../commands/slash-commands.ts'
import type { SlashCommand } from '../commands/slash-command.ts'
import type { Ui } from '../contract/ui.ts'
import { launchContext } from '../contract/ui.ts'
import type { FindSuggestions, Suggestion } from './completion.ts'
import { serverResources } from './server-resources.ts'
import { modelRoles } from '../../../lib/streams/config/model-roles.ts'
import type { ListedRole } from '../../../lib/streams/commands/model-commands.ts'

/** Milliseconds after the last key before the request to the server. */
const pause = 40
const maxFiles = 50

/** For the current session. */
export function findSuggestions(ui: Ui): FindSuggestions {
  return ({ kind, query }) => {
    const { session } = ui.now()
    if (kind === 'command') {
      const own = offeredCommands(ui.now())
      const now$ = of(commandsFor(own, query))
      if (session === undefined) return now$
      return concat(
        now$,
        serverCommands(ui, session.id).pipe(map((more) => commandsFor([...own, ...withoutNames(more, own)], query))),
      )
    }
    if (session === undefined) return of([])
    if (kind === 'role') return roleNames(ui, session.id).pipe(map((all) => namesFor(all, query)))
    if (kind === 'scenario') return scenarioNames(ui, session.id).pipe(map((all) => namesFor(all, query)))
    return timer(pause).pipe(
      switchMap(() => combineLatest([files(ui, session.id, query), serverResources(ui, session.id, query)])),
      map(([own, resources]) => [...resources.first, ...own, ...resources.last]),
    )
  }
}

/** Emits files that fit; none if the server cannot say: then the user types the path. */
function files(ui: Ui, session: string, query: string): Observable<readonly Suggestion[]> {
  return ui.request({ type: 'find_files', session, query, limit: maxFiles }).pipe(
    map((found) => found.files.map(fileSuggestion)),
    catchError(() => of([])),
  )
}

/** A folder stays open for more letters; a file ends with a space. A path with a space is quoted. */
export function fileSuggestion(path: string): Suggestion {
  const isFolder = path.endsWith('/')
  const quoted = /[\s"]/.test(path) ? `@"${path}${isFolder ? '' : '"'}` : `@${path}`
  return { label: path, value: isFolder ? quoted : `${quoted} ` }
}

/**
 * Commands whose name or alias contains the letters of the query in order; all commands for an empty query. The full
 * name is first, then names that begin with the query, then such aliases, each in the order of the commands.
 */
export function commandsFor(commands: readonly Listed[], query: string): readonly Suggestion[] {
  if (query === '') return commands.map((command) => suggestion(command, command.name))
  const names = commands.flatMap((command) =>
    [command.name, ...(command.aliases ?? [])].map((name) => ({ name, command })),
  )
  const begins = names.filter(({ name }) => name.startsWith(query))
  const found = [
    ...begins.filter(({ name }) => name === query),
    ...begins.filter(({ name, command }) => name === command.name),
    ...begins,
    ...fuzzysort.go(query, names, { key: 'name' }).map(({ obj }) => obj),
  ]
  const best = found.filter(({ command }, index) => found.findIndex((other) => other.command === command) === index)
  return best.map(({ command, name }) => suggestion(command, name))
}

/** Emits `NAME` and `NAME:PHASE` of each scenario, and `off`; none if the server cannot say. */
function scenarioNames(ui: Pick<Ui, 'request'>, session: string): Observable<readonly Suggestion[]> {
  return ui.request({ type: 'list_scenarios', session }).pipe(
    map(({ scenarios }) => [
      ...scenarios.flatMap(({ name, description, phases }) => [
        { label: name, value: `${name} `, description },
        ...phases.map((phase) => {
          const label = `${name}:${phase.name}`
          return { label, value: `${label} `, description: phase.description ?? '' }
        }),
      ]),
      { label: 'off', value: 'off ', description: 'leaves the scenario' },
    ]),
    catchError(() => of([])),
  )
}

/** Emits each role with its model; the names alone if the server cannot say. */
function roleNames(ui: Ui, session: string): Observable<readonly Suggestion[]> {
  const suggestions = (roles: readonly ListedRole[]): readonly Suggestion[] =>
    modelRoles.map((label) => {
      const { model, thinkingLevel } = roles.find(({ role }) => role === label) ?? {}
      const level = thinkingLevel === undefined ? '' : `:${thinkingLevel}`
      return {
        label,
        value: `@${label} `,
        description: model === undefined ? 'not set: the usual model' : `${model}${level}`,
      }
    })
  // with one provider no local endpoint is asked for its models
  return ui.request({ type: 'list_models', ...launchContext(ui), session, provider: 'demo', limit: 1 }).pipe(
    map(({ roles = [] }) => suggestions(roles)),
    catchError(() => of(suggestions([]))),
  )
}

/** Names that begin with the query, then those that contain its letters in order; all for an empty query. */
function namesFor(all: readonly Suggestion[], query: string): readonly Suggestion[] {
  const begins = all.filter(({ label }) => label.startsWith(query))
  const similar = fuzzysort.go(query, all, { key: 'label' }).map(({ obj }) => obj)
  return [...new Set([...begins, ...similar])]
}

/** Emits the skills, templates and commands of the session's server; none if it cannot say. */
export function serverCommands(ui: Pick<Ui, 'request'>, session: string): Observable<readonly ServerCommand[]> {
  return ui.request({ type: 'list_commands', session }).pipe(
    map(({ commands }) => commands),
    catchError(() => of([])), // a server of an older version: its commands are missing
  )
}

type Listed = Pick<SlashCommand, 'name' | 'aliases' | 'description' | 'argument'>

type ServerCommand = Pick<PromptCommand, 'name' | 'description' | 'argument'>

/** A command of the UI hides one of its name. */
function withoutNames(commands: readonly ServerCommand[], own: readonly SlashCommand[]): readonly ServerCommand[] {
  const names = new Set(own.flatMap(({ name, aliases = [] }) => [name, ...aliases]))
  return commands.filter(({ name }) => !names.has(name))
}

function suggestion({ argument, description }: Listed, name: string): Suggestion {
  const label = argument === undefined ? `/${name}` : `/${name} ${argument}`
  return { label, value: `/${name} `, description }
}
