// Opens the scenarios of a session: of the user, rxpi, installed packages and a trusted project.
// Guarantees: scenarios of a project count while its files are those that a person trusts (docs/design/security.md#S3).
import { defer, forkJoin, map, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { loadScenarios, nameSkills } from '../../context/index.ts'
import { rxpiPaths } from '../../host/files/paths.ts'
import { folderTrust, isStillTrusted } from '../../store/index.ts'
import type { FolderTrust } from '../../store/index.ts'
import type { ModelsFile } from '../../streams/config/settings.ts'
import type { LoggedPhase } from '../../streams/state/fold-settings.ts'
import type { CreateSessionOptions } from './create-session-options.ts'
import type { InstalledTexts, PromptCommands } from '../../streams/ports/prompt-commands.ts'
import { readNow } from '../../streams/rx/read-now.ts'
import type { ScenarioList, Scenarios } from '../../streams/ports/scenarios.ts'
import { presets, registeredProviders } from '../../providers/index.ts'
import { trialProviders } from '../../streams/models/trial-providers.ts'

export interface SessionScenariosSetup {
  /** The folder of `settings.json`. */
  readonly config: string
  /** Whether a person trusts the project's own files. */
  readonly trust: Pick<FolderTrust, 'trusted' | 'folder' | 'digest'>
  /** The endpoints that the user has. */
  readonly models: ModelsFile
  /** The session's skills. */
  readonly commands: PromptCommands
  /** Installed packages. Default: none. */
  readonly packages?: InstalledTexts | undefined
  /** The name of the scenario in the log. Default: none. */
  readonly logged?: string | undefined
}

/**
 * Emits once, and never fails: a file that cannot be used is a problem of `list_scenarios`. Reads files only if one is
 * needed.
 */
export function openScenarios(setup: SessionScenariosSetup): Observable<Scenarios> {
  const { config, trust, models, commands, packages, logged } = setup
  const foreign = { packages: packages?.packages, isKnownModel: (name: string) => isKnownModel(name, models) }
  const read$ = (project: string | undefined): Observable<ScenarioList> =>
    forkJoin({
      list: loadScenarios({ config, project, ...foreign }),
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

/** A project names models of endpoints that the user has: no files and no models for trials. */
export function isKnownModel(name: string, { providers }: ModelsFile): boolean {
  const [provider = '', ...id] = name.split('/')
  if (id.join('/') === '' || trialProviders.has(provider)) return false
  return Object.hasOwn(presets, provider) || Object.hasOwn(providers, provider) || registeredProviders.has(provider)
}

interface ProgramScenarios extends Pick<CreateSessionOptions, 'scenarios' | 'settings' | 'configDir' | 'policy'> {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly models: ModelsFile
  /** Whether the project's files count. Default: as a person answered. */
  readonly trust?: FolderTrust | undefined
  /** The session's skills. Default: none. */
  readonly commands: PromptCommands | undefined
  readonly logged: LoggedPhase | undefined
}

/**
 * The scenarios of a program's session: of the user, of rxpi, and of a project that a person trusts, with `true` or
 * with `settings: true` and a policy. The phase of the log is found at once unless a file needs the YAML library: calls
 * then may only read.
 * @throws Failure `bad_config` for a bad `trust.json`
 */
export function programScenarios(setup: ProgramScenarios): Scenarios | undefined {
  const { cwd, env, models, commands = noCommands, logged } = setup
  const chosen = setup.scenarios ?? (setup.settings === true && setup.policy !== undefined)
  if (typeof chosen === 'object') return chosen
  if (!chosen) return undefined
  const { home, config } = rxpiPaths(env)
  const trust = setup.trust ?? folderTrust({ home, cwd })
  const opened$ = openScenarios({ config: setup.configDir ?? config, trust, models, commands })
  const list: Scenarios = { list: () => opened$.pipe(mergeMap((found) => found.list())) }
  const found = logged === undefined ? undefined : readNow(list.list())
  return { ...list, logged: found?.scenarios.find(({ name }) => name === logged?.scenario) }
}

const noCommands: PromptCommands = { list: () => of({ commands: [], problems: [] }), expand: () => of(undefined) }
