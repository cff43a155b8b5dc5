// Adds the skills and prompt templates of extensions to those of a session.
// Guarantees: what an extension takes back is gone at the next use (docs/decisions/0513-texts-of-extensions.md).
import { combineLatest, map, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { fileCommands } from '../../context/index.ts'
import type { CommandFolders, FileCommands, SkillSource } from '../../context/index.ts'
import type { Entry } from '../../extensions/lifecycle/contribution-registry.ts'
import type { ExtensionSet } from '../../extensions/lifecycle/set-contract.ts'
import { realTarget } from '../../host/files/resolve-path.ts'
import { parseSlash } from '../../streams/ports/prompt-commands.ts'
import type { SessionCommands } from './session-commands.ts'
import type { CommandProblem, PromptCommand, PromptCommands } from '../../streams/ports/prompt-commands.ts'

type Texts = Pick<ExtensionSet, 'contributions'>

/** Emits once, synchronously if there is none. */
type Listed = ReturnType<PromptCommands['list']>

/** The texts of the opening; either may be absent. */
interface OpenedTexts {
  readonly commands?: PromptCommands | undefined
  readonly skills?: SkillSource | undefined
}

/** The commands and skills with those of the extensions' files; a later reading has what is registered then. */
export function withExtensionTexts<Opened extends OpenedTexts>(
  opened: Opened,
  set: Texts | undefined,
): Opened | SessionCommands {
  if (set === undefined) return opened
  return { commands: joinCommands(set, opened.commands), skills: joinSkills(set, opened.skills) }
}

/** A built-in command gives way to a template of its name. */
function joinCommands(set: Texts, others: PromptCommands | undefined): PromptCommands {
  const own = textsOf(set)
  const list$ = (): Listed => others?.list() ?? of({ commands: [], problems: [] })
  return {
    list: () =>
      hasTexts(set) ? combineLatest([list$(), own.list()]).pipe(map(([files, more]) => join(files, more))) : list$(),
    expand: (text) => expand$(set, text, { own, others, list$ }),
  }
}

interface Sources {
  readonly own: FileCommands
  readonly others: PromptCommands | undefined
  list$(): Listed
}

function expand$(set: Texts, text: string, { own, others, list$ }: Sources): ReturnType<PromptCommands['expand']> {
  const usual$ = others?.expand(text) ?? of(undefined)
  const name = parseSlash(text)?.name
  if (name === undefined || !hasTexts(set)) return usual$
  return list$().pipe(
    mergeMap(({ commands }) => (takenBy(commands, name) === undefined ? own.expand(text) : of(undefined))),
    mergeMap((found) => (found === undefined ? usual$ : of(found))),
  )
}

/** A note informs the model of the extensions' skills: `inPrompt` stays. */
function joinSkills(set: Texts, source: SkillSource | undefined): SkillSource {
  const own = textsOf(set)
  const { inPrompt = [], current = () => of([]) } = source ?? {}
  return {
    inPrompt,
    current: () => {
      if (set.contributions.skills.entries.length === 0) return current()
      return combineLatest([current(), own.skills()]).pipe(
        map(([skills, more]) => {
          const names = new Set(skills.map(({ name }) => name))
          return [...skills, ...more.filter(({ name }) => !names.has(name))]
        }),
      )
    },
  }
}

/** Absolute folders of the extensions' skills, with the real ones: for reading they count as inside. */
export function extensionSkillFolders(set: Texts | undefined): readonly string[] {
  const paths = (set?.contributions.skills.entries ?? []).map(({ value }) => value.replace(/[\\/]SKILL\.md$/, ''))
  return [...new Set(paths.flatMap((folder) => [folder, realTarget(folder)]))]
}

function hasTexts({ contributions: { skills, templates } }: Texts): boolean {
  return skills.entries.length + templates.entries.length > 0
}

function textsOf({ contributions }: Texts): FileCommands {
  const folders = (entries: readonly Entry<string>[]): CommandFolders['skills'] =>
    entries.map(({ owner, value }) => ({ folder: value, source: 'extension', extension: owner }))
  return fileCommands(() => ({
    skills: folders(contributions.skills.entries),
    templates: folders(contributions.templates.entries),
  }))
}

type List = Listed extends Observable<infer Value> ? Value : never

function join(files: List, own: List): List {
  const free = own.commands.filter(({ name }) => takenBy(files.commands, name) === undefined)
  const names = new Set(free.map(({ name }) => name))
  return {
    commands: [...files.commands.filter(({ name }) => !names.has(name)), ...free],
    problems: [...files.problems, ...own.problems, ...own.commands.flatMap((each) => taken(files.commands, each))],
  }
}

function takenBy(commands: readonly PromptCommand[], name: string): PromptCommand | undefined {
  return commands.find((each) => each.name === name && each.source !== 'built-in')
}

function taken(commands: readonly PromptCommand[], { name, path = '' }: PromptCommand): readonly CommandProblem[] {
  const first = takenBy(commands, name)
  if (first === undefined) return []
  return [
    { path, level: 'error', message: `its name ${name} is taken by ${first.path ?? first.source}, which comes first` },
  ]
}
