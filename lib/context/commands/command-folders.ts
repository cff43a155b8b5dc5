// Names the folders of skills and prompt templates, in the order of precedence.
// Guarantees: folders of a project are named only if a person trusts it (docs/design/security.md#S3).
import path from 'node:path'
import type { CommandProblem, InstalledTexts } from '../../streams/ports/prompt-commands.ts'

export interface CommandFolder {
  /** Absolute; of a package or an extension also a single file. */
  readonly folder: string
  readonly source: 'user' | 'project' | 'package' | 'extension'
  /** The name of the package. */
  readonly package?: string
  /** The name of the extension. */
  readonly extension?: string
}

export interface CommandFolders {
  readonly skills: readonly CommandFolder[]
  readonly templates: readonly CommandFolder[]
  /** Listed before those of the files. */
  readonly problems?: readonly CommandProblem[]
}

export interface CommandFoldersOptions {
  /** The folder of `settings.json`. */
  readonly config: string
  /** The user's home folder. */
  readonly homeFolder: string
  /** The project whose files a person trusts, absolute. Default: none is read. */
  readonly project?: string | undefined
  /** The texts of installed packages. Default: none. */
  readonly packages?: InstalledTexts | undefined
}

/** The user's folders come first: no project takes the place of a command that the user wrote. Packages come last. */
export function commandFolders({ config, homeFolder, project, packages }: CommandFoldersOptions): CommandFolders {
  const user = (...folders: readonly string[]): CommandFolder[] =>
    folders.map((folder) => ({ folder, source: 'user' as const }))
  const trusted = (...names: readonly string[]): CommandFolder[] =>
    project === undefined ? [] : names.map((name) => ({ folder: path.join(project, name), source: 'project' as const }))
  const installed = (kind: 'skills' | 'prompts'): CommandFolder[] =>
    (packages?.packages ?? []).flatMap(({ name, [kind]: paths }) =>
      paths.map((folder) => ({ folder, source: 'package' as const, package: name })),
    )
  return {
    ...(packages === undefined || packages.problems.length === 0 ? {} : { problems: packages.problems }),
    skills: [
      ...user(
        path.join(config, 'skills'),
        path.join(homeFolder, '.agents/skills'),
        path.join(homeFolder, '.claude/skills'),
      ),
      ...trusted('.rxpi/skills', '.agents/skills', '.claude/skills'),
      ...installed('skills'),
    ],
    templates: [
      ...user(path.join(config, 'prompts'), path.join(homeFolder, '.claude/commands')),
      ...trusted('.rxpi/prompts', '.claude/commands'),
      ...installed('prompts'),
    ],
  }
}
