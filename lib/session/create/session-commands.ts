// Opens the skills and templates of a session: of the user, a trusted project and installed packages.
import { homedir } from 'node:os'
import { defer, map } from 'rxjs'
import type { Observable } from 'rxjs'
import { commandFolders, createPromptCommands } from '../../context/index.ts'
import type { FileCommands, Skill, SkillSource } from '../../context/index.ts'
import { clientHome } from '../../host/files/paths.ts'
import { realTarget } from '../../host/files/resolve-path.ts'
import { isStillTrusted } from '../../store/index.ts'
import type { FolderTrust } from '../../store/index.ts'
import type { InstalledTexts, PromptCommands } from '../../streams/ports/prompt-commands.ts'

export interface SessionCommandsSetup {
  /** The client's environment: its `HOME` has the folders of other agents. */
  readonly env: Readonly<Record<string, string>>
  /** The folder of `settings.json`. */
  readonly config: string
  /** Whether a person trusts the project's own files. */
  readonly trust: Pick<FolderTrust, 'trusted' | 'folder' | 'digest'>
  /** The texts of installed packages. Default: none. */
  readonly packages?: InstalledTexts | undefined
}

export interface SessionCommands {
  readonly commands: PromptCommands
  readonly skills: SkillSource
}

/** Emits once, and never fails: a file that cannot be used is a problem of `list_commands`. */
export function openSessionCommands(setup: SessionCommandsSetup): Observable<SessionCommands> {
  const { commands, opening$, current } = watchedCommands(setup)
  return opening$.pipe(map((inPrompt) => ({ commands, skills: { inPrompt, current } })))
}

export interface WatchedCommands extends Pick<SkillSource, 'current'> {
  readonly commands: PromptCommands
  /** Emits the skills of the opening once; synchronously unless a file needs the YAML library. */
  readonly opening$: Observable<readonly Skill[]>
}

/** Files are read at use: those of a project count while they are the ones that a person trusts. */
export function watchedCommands(setup: SessionCommandsSetup): WatchedCommands {
  const opened = createPromptCommands(foldersOf(setup))
  const users = setup.trust.trusted
    ? createPromptCommands(foldersOf({ ...setup, trust: { ...setup.trust, trusted: false } }))
    : opened
  const now = (): FileCommands => (isStillTrusted(setup.trust) ? opened : users)
  return {
    commands: { list: () => defer(() => now().list()), expand: (text) => defer(() => now().expand(text)) },
    current: () => defer(() => now().skills()),
    opening$: opened.skills(),
  }
}

/** Absolute folders of skills, with the real ones: for reading they count as inside (docs/design/security.md#S6). */
export function skillFolders(setup: SessionCommandsSetup): readonly string[] {
  return [...new Set(foldersOf(setup).skills.flatMap(({ folder }) => [folder, realTarget(folder)]))]
}

function foldersOf({ env, config, trust: { trusted, folder }, packages }: SessionCommandsSetup) {
  const homeFolder = clientHome(env) ?? homedir()
  return commandFolders({ config, homeFolder, project: trusted ? folder : undefined, packages })
}
