// Lists and expands the commands that a prompt can begin with: skills, templates and those of rxpi.
// Guarantees: files are looked at when they are needed; nothing watches them meanwhile (docs/decisions/0401).
import { defer, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ExpandedPrompt, PromptCommand, PromptCommands } from '../../streams/ports/prompt-commands.ts'
import { parseSlash } from '../../streams/ports/prompt-commands.ts'
import { Failure } from '../../streams/values/failure.ts'
import { loadedYaml, readFrontmatter, yamlParser$ } from '../files/frontmatter.ts'
import type { ParseYaml } from '../files/frontmatter.ts'
import { readBoundedText } from '../files/read-bounded-text.ts'
import { expandSkill } from '../skills/skill-texts.ts'
import type { Skill } from '../skills/parse-skill.ts'
import { builtInTemplates } from '../templates/built-in-templates.ts'
import type { Template } from '../templates/parse-template.ts'
import { expandTemplate } from '../templates/expand-template.ts'
import type { CommandFolders } from './command-folders.ts'
import { loadCommandFiles, maxSkillBytes } from './load-command-files.ts'
import type { CommandFiles, Loaded, ParsedFiles } from './load-command-files.ts'

export interface FileCommands extends PromptCommands {
  /** Emits the skills once, as they are now; synchronously unless the first file needs the YAML library. */
  skills(): Observable<readonly Skill[]>
}

/**
 * Reads skills and templates of these folders for the option `commands`, and again for each use: files that changed are parsed
 * anew. Reads no file before the first use; what cannot be read becomes a problem of the list.
 */
export function createPromptCommands(folders: CommandFolders): FileCommands {
  return fileCommands(() => folders, builtInTemplates)
}

/** As `createPromptCommands`, of folders that come and go. */
export function fileCommands(folders: () => CommandFolders, builtIn: readonly Template[] = []): FileCommands {
  let last: ParsedFiles | undefined
  const load = (parseYaml: ParseYaml | undefined): Loaded | undefined => {
    const loaded = loadCommandFiles(folders(), { last, parseYaml })
    if (loaded !== undefined) last = loaded.parsed
    return loaded
  }
  const files$: Observable<CommandFiles> = defer(() => {
    const loaded = load(loadedYaml())
    return loaded === undefined ? yamlParser$.pipe(map((parse) => load(parse) ?? nothing)) : of(loaded)
  })
  return {
    skills: () => files$.pipe(map(({ skills }) => skills)),
    list: () => files$.pipe(map((files) => ({ commands: listCommands(files, builtIn), problems: files.problems }))),
    expand: (text) =>
      defer(() => {
        const slash = parseSlash(text)
        return slash === undefined ? of(undefined) : files$.pipe(map((files) => expandIn(files, builtIn, slash)))
      }),
  }
}

const nothing: CommandFiles = { skills: [], templates: [], problems: [] }

/** Skills, then templates by name, then the built-in ones that no template replaces. */
function listCommands({ skills, templates }: CommandFiles, builtIn: readonly Template[]): readonly PromptCommand[] {
  const names = new Set(templates.map(({ name }) => name))
  return [
    ...skills.map(({ isForModel: _, name, ...skill }): PromptCommand => {
      return { ...skill, name: `skill:${name}`, kind: 'skill', argument: '[text]' }
    }),
    ...templates.map(({ body, ...template }): PromptCommand => ({ ...template, kind: 'template' })),
    ...builtIn
      .filter(({ name }) => !names.has(name))
      .map(({ body, ...template }): PromptCommand => ({ ...template, kind: 'command', source: 'built-in' })),
  ]
}

function expandIn(
  { skills, templates }: CommandFiles,
  builtIn: readonly Template[],
  { name, args }: { readonly name: string; readonly args: string },
): ExpandedPrompt | undefined {
  const invocation = (kind: PromptCommand['kind']) => ({ kind, name, ...(args === '' ? {} : { args }) })
  if (name.startsWith('skill:')) {
    const skill = skills.find((each) => each.name === name.slice('skill:'.length))
    return skill && { text: expandSkill(skill, readBody(skill), args), invocation: invocation('skill') }
  }
  const template = templates.find((each) => each.name === name)
  if (template !== undefined) return { text: expandTemplate(template.body, args), invocation: invocation('template') }
  const own = builtIn.find((each) => each.name === name)
  return own && { text: expandTemplate(own.body, args), invocation: invocation('command') }
}

/** The text below the frontmatter, as it is now. @throws Failure `bad_request` */
function readBody({ name, path }: Skill): string {
  const read = readBoundedText(path, maxSkillBytes)
  if (read === undefined || 'problem' in read) {
    const why = read === undefined ? 'is gone' : `could not be read: ${read.problem}`
    throw new Failure('bad_request', `The skill ${name} ${why}; ${path}`)
  }
  return readFrontmatter(read.text, loadedYaml() ?? noYaml)?.body ?? read.text
}

/** The body does not depend on what the frontmatter says. */
function noYaml(): unknown {
  return {}
}
