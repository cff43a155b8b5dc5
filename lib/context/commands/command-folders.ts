// Names the folders of skills and prompt templates, in the order of precedence.
// Guarantees: folders of a project are named only if a person trusts it (docs/design/security.md#S3).
import path from 'node:path'

export interface CommandFolder {
  /** Absolute. */
  readonly folder: string
  readonly source: 'user' | 'project'
}

export interface CommandFolders {
  readonly skills: readonly CommandFolder[]
  readonly templates: readonly CommandFolder[]
}

export interface CommandFoldersOptions {
  /** The folder of `settings.json`. */
  readonly config: string
  /** The user's home folder. */
  readonly homeFolder: string
  /** The project whose files a person trusts, absolute. Default: none is read. */
  readonly project?: string | undefined
}

/** The user's folders come first: no project takes the place of a command that the user wrote. */
export function commandFolders({ config, homeFolder, project }: CommandFoldersOptions): CommandFolders {
  const user = (...folders: readonly string[]): CommandFolder[] =>
    folders.map((folder) => ({ folder, source: 'user' as const }))
  const trusted = (...names: readonly string[]): CommandFolder[] =>
    project === undefined ? [] : names.map((name) => ({ folder: path.join(project, name), source: 'project' as const }))
  return {
    skills: [
      ...user(
        path.join(config, 'skills'),
        path.join(homeFolder, '.agents/skills'),
        path.join(homeFolder, '.claude/skills'),
      ),
      ...trusted('.rxpi/skills', '.agents/skills', '.claude/skills'),
    ],
    templates: [
      ...user(path.join(config, 'prompts'), path.join(homeFolder, '.claude/commands')),
      ...trusted('.rxpi/prompts', '.claude/commands'),
    ],
  }
}
