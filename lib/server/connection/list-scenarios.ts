// Answers `list_scenarios`: what the scenarios of an open session declare.
import { map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../streams/commands/command.ts'
import type { ScenarioList, ScenarioPhase } from '../../streams/ports/scenarios.ts'
import type { Session } from '../../session/contract/session.ts'

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

function describePhase({ name, description, readOnly = false, model }: ScenarioPhase) {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    readOnly,
    ...(model === undefined ? {} : { model }),
  }
}
