// Opens the scenarios of a session: the user's, rxpi's, and those of a trusted project.
// Guarantees: scenarios of a project count while its files are those that a person trusts (docs/design/security.md#S3).
import { defer, forkJoin, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { loadScenarios, nameSkills } from '../../context/index.ts'
import { isStillTrusted } from '../../store/index.ts'
import type { FolderTrust } from '../../store/index.ts'
import type { ModelsFile } from '../../streams/config/settings.ts'
import type { PromptCommands } from '../../streams/ports/prompt-commands.ts'
import type { ScenarioList, Scenarios } from '../../streams/ports/scenarios.ts'
import { isKnownModel } from '../trust/project-trust.ts'

export interface SessionScenariosSetup {
  /** The folder of `settings.json`. */
  readonly config: string
  /** Whether a person trusts the project's own files. */
  readonly trust: Pick<FolderTrust, 'trusted' | 'folder' | 'digest'>
  /** The endpoints that the user has. */
  readonly models: ModelsFile
  /** The session's skills. */
  readonly commands: PromptCommands
  /** The name of the scenario in the log. Default: none. */
  readonly logged?: string | undefined
}

/** Emits once, and never fails: a file that cannot be used is a problem of `list_scenarios`. Reads files only if one is needed. */
export function openScenarios(setup: SessionScenariosSetup): Observable<Scenarios> {
  const { config, trust, models, commands, logged } = setup
  const read$ = (project: string | undefined): Observable<ScenarioList> =>
    forkJoin({
      list: loadScenarios({ config, project, isKnownModel: (name) => isKnownModel(name, models) }),
      known: commands.list(),
    }).pipe(map(({ list, known }) => nameSkills(list, known.commands)))
  const list$ = defer(() => {
    const project = trust.trusted ? trust.folder : undefined
    return read$(project).pipe(
      // files are read after the answer: they count if they are still those that a person trusts
      map((list) => (project === undefined || isStillTrusted(trust) ? list : withoutProject(list, project))),
    )
  })
  const opened: Scenarios = { list: () => list$ }
  if (logged === undefined) return of(opened)
  return list$.pipe(map(({ scenarios }) => ({ ...opened, logged: scenarios.find(({ name }) => name === logged) })))
}

function withoutProject({ scenarios, problems }: ScenarioList, project: string): ScenarioList {
  const message = 'it changed since you trusted the folder; open the session again, which asks if you trust it'
  return {
    scenarios: scenarios.filter(({ source }) => source !== 'project'),
    problems: [...problems, { path: `${project}/.rxpi/scenarios`, level: 'error', message }],
  }
}
