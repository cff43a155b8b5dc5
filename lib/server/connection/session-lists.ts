// Answers commands that read an open session: its tools, scenarios and commands, and its next request.
import { forkJoin, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import type { Scenario, ScenarioList, ScenarioPhase } from '../../streams/ports/scenarios.ts'
import type { Session } from '../../session/contract/session.ts'

/**
 * Lists the registered tools in their order, which are active, and which of those requests leave out. A tool that names no
 * capability has the earlier name `execute` on the wire: clients of earlier builds know it.
 */
export function listTools({
  registeredTools,
  activeTools,
  unlistedTools,
}: Pick<Session, 'registeredTools' | 'activeTools' | 'unlistedTools'>): ResultOf<'list_tools'>['tools'] {
  const active = new Set(activeTools.map(({ name }) => name))
  const unlisted = new Set(unlistedTools?.().map(({ name }) => name))
  return registeredTools.map(({ name, description, capability = 'execute' }) => ({
    name,
    description,
    capability,
    active: active.has(name),
    ...(unlisted.has(name) ? { unlisted: true } : {}),
  }))
}

/** Emits once and completes. A session without scenarios has none. */
export function listScenarios({ scenarios }: Pick<Session, 'scenarios'>): Observable<ResultOf<'list_scenarios'>> {
  const list$ = scenarios?.list() ?? of<ScenarioList>({ scenarios: [], problems: [] })
  return list$.pipe(
    map((list) => ({
      scenarios: list.scenarios.map(({ name, description, source, path, start, phases }) => ({
        name,
        description,
        source,
        ...(path === undefined ? {} : { path }),
        start,
        phases: phases.map(describePhase),
      })),
      problems: [...list.problems],
    })),
  )
}

/** The commands that a prompt can begin with: those of files and of rxpi, then scenarios that no command hides. */
export function listCommands(session: Pick<Session, 'commands' | 'scenarios'>): Observable<ResultOf<'list_commands'>> {
  const scenarios$ = session.scenarios?.list().pipe(map((list) => list.scenarios)) ?? of([])
  const commands$ = session.commands?.list() ?? of({ commands: [], problems: [] })
  return forkJoin({ commands: commands$, scenarios: scenarios$ }).pipe(
    map(({ commands: { commands, problems }, scenarios }) => {
      const names = new Set(commands.map(({ name }) => name))
      const more = scenarios.filter(({ name }) => !names.has(name)).map(scenarioCommand)
      return { commands: [...commands, ...more], problems: [...problems] }
    }),
  )
}

function scenarioCommand({ name, description, source, path }: Scenario) {
  return { name, kind: 'scenario', description, argument: 'TEXT', source, ...(path === undefined ? {} : { path }) }
}

function describePhase({ name, description, readOnly = false, model }: ScenarioPhase) {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    readOnly,
    ...(model === undefined ? {} : { model }),
  }
}

/** The session, if it is open here. */
export function findServed(
  id: string | undefined,
  served: ReadonlySet<{ readonly session: Session }>,
): Session | undefined {
  return id === undefined ? undefined : [...served].find(({ session }) => session.id === id)?.session
}

/** The request of a session that is open here, at its head. */
export function requestPart(
  { session, entryId }: Pick<CommandNamed<'get_context'>, 'session' | 'entryId'>,
  served: ReadonlySet<{ readonly session: Session }>,
): Pick<ResultOf<'get_context'>, 'request'> {
  if (entryId !== undefined) return {}
  const found = findServed(session, served)?.nextRequest?.()
  return found === undefined ? {} : { request: found }
}
