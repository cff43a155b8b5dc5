// Loads the scenarios that are declared now: by the user, rxpi, packages and a trusted project.
// Guarantees: bounded in files and bytes; a project takes the place of no other scenario.
import path from 'node:path'
import { defer, map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandProblem, PackageTexts } from '../../streams/ports/prompt-commands.ts'
import type { Scenario, ScenarioList } from '../../streams/ports/scenarios.ts'
import { yamlParser$ } from '../files/frontmatter.ts'
import type { ParseYaml } from '../files/frontmatter.ts'
import { readBoundedText } from '../files/read-bounded-text.ts'
import { walkFolder } from '../files/walk-folder.ts'
import type { FoundFile } from '../files/walk-folder.ts'
import { builtInScenarios } from './built-in-scenarios.ts'
import { parseScenario, scenarioExtensions } from './parse-scenario.ts'
import type { ParsedScenario, ScenarioSource } from './parse-scenario.ts'

export interface ScenarioFolders {
  /** The folder of `settings.json`; `scenarios/` inside is the user's. */
  readonly config: string
  /** The project whose files a person trusts, absolute. Default: none is read. */
  readonly project?: string | undefined
  /** Installed packages. Default: none. */
  readonly packages?: readonly Pick<PackageTexts, 'scenarios'>[] | undefined
  /** Whether a project or a package may name this model. Default: none. */
  readonly isKnownModel?: (name: string) => boolean
}

const maxFiles = 100
const maxBytes = 65_536

/** Emits once what the files declare now, and completes. Never fails: a file that cannot be used is a problem. */
export function loadScenarios({
  config,
  project,
  packages = [],
  isKnownModel = () => false,
}: ScenarioFolders): Observable<ScenarioList> {
  return defer(() => yamlParser$).pipe(
    map((parseYaml) => {
      const user = readFolder(path.join(config, 'scenarios'), 'user', parseYaml)
      const installed = packages.flatMap(({ scenarios }) =>
        scenarios.flatMap((each) => readFolder(each, 'package', parseYaml)),
      )
      const own = project === undefined ? [] : readFolder(path.join(project, '.rxpi/scenarios'), 'project', parseYaml)
      const foreign = [...installed, ...own].map((parsed) => withKnownModels(parsed, isKnownModel))
      const problems = [...user, ...foreign].flatMap((parsed) => parsed.problems)
      const declared = [...scenariosOf(user), ...builtInScenarios, ...scenariosOf(foreign)]
      return { scenarios: firstOfName(declared, problems), problems }
    }),
  )
}

function scenariosOf(parsed: readonly ParsedScenario[]): readonly Scenario[] {
  return parsed.flatMap(({ scenario }) => scenario ?? [])
}

function readFolder(folder: string, source: ScenarioSource['source'], parseYaml: ParseYaml): readonly ParsedScenario[] {
  const { files, problems } = walkFolder(folder, {
    choose: (names) => ({ files: names.filter(isScenarioFile), descend: false }),
    max: maxFiles,
  })
  return [{ problems }, ...files.map((file) => readScenario(file, source, parseYaml))]
}

function isScenarioFile(name: string): boolean {
  return !name.startsWith('.') && scenarioExtensions.includes(path.extname(name))
}

function readScenario(
  { path: file, bytes }: FoundFile,
  source: ScenarioSource['source'],
  parseYaml: ParseYaml,
): ParsedScenario {
  const refuse = (message: string): ParsedScenario => ({ problems: [{ path: file, level: 'error', message }] })
  if (bytes > maxBytes) return refuse(`it is larger than ${maxBytes / 1_024} KiB`)
  const read = readBoundedText(file, maxBytes)
  if (read === undefined) return { problems: [] } // removed meanwhile
  if ('problem' in read) return refuse(`it could not be read: ${read.problem}`)
  if (read.isCut) return refuse(`it is larger than ${maxBytes / 1_024} KiB`)
  return parseScenario({ path: file, source }, read.text, parseYaml)
}

/** A project or a package names models of endpoints that the user has (docs/design/security.md#S2). */
function withKnownModels(parsed: ParsedScenario, isKnownModel: (name: string) => boolean): ParsedScenario {
  const { scenario, problems } = parsed
  const index =
    scenario?.phases.findIndex(({ model }) => model !== undefined && !model.startsWith('@') && !isKnownModel(model)) ??
    -1
  if (scenario === undefined || index === -1) return parsed
  const message = `phases[${index}].model names a model that a ${scenario.source} cannot choose: ${scenario.phases[index]?.model ?? ''}`
  return { problems: [...problems, { path: scenario.path ?? '', level: 'error', message }] }
}

function firstOfName(scenarios: readonly Scenario[], problems: CommandProblem[]): readonly Scenario[] {
  const named = new Map<string, Scenario>()
  for (const scenario of scenarios) {
    const { name, path: file } = scenario
    const first = named.get(name)
    if (first === undefined) named.set(name, scenario)
    else if (file !== undefined) {
      const owner = first.path ?? 'rxpi itself'
      problems.push({ path: file, level: 'error', message: `its name ${name} is taken by ${owner}, which comes first` })
    }
  }
  return [...named.values()]
}
