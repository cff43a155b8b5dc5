// Finds the skills and prompt templates of a program's session.
import { homedir } from 'node:os'
import type { Observable } from 'rxjs'
import { commandFolders, createPromptCommands } from '../../context/index.ts'
import type { FileCommands, SkillSource } from '../../context/index.ts'
import { rxpiPaths } from '../../host/files/paths.ts'
import type { PromptCommands } from '../../streams/ports/prompt-commands.ts'
import type { CreateSessionOptions } from './create-session-options.ts'

export interface ProgramCommands {
  readonly commands?: PromptCommands
  readonly skills?: SkillSource
}

type Options = Pick<CreateSessionOptions, 'commands' | 'settings' | 'configDir'>

/** The user's folders with `true`, or with `settings: true`; a program trusts no project. */
export function programCommands(
  { commands, settings, configDir }: Options,
  env: Readonly<Record<string, string>>,
): ProgramCommands {
  const chosen = commands ?? settings === true
  if (chosen === false) return {}
  if (chosen !== true) return { commands: chosen, ...(isFileCommands(chosen) ? { skills: skillSource(chosen) } : {}) }
  const config = configDir ?? rxpiPaths(env).config
  const found = createPromptCommands(commandFolders({ config, homeFolder: env['HOME'] ?? homedir() }))
  return { commands: found, skills: skillSource(found) }
}

/** What is not there at once, because the YAML library has to be loaded first, is told in notes. */
function skillSource({ skills }: Pick<FileCommands, 'skills'>): SkillSource {
  return { inPrompt: readNow(skills()) ?? [], current: skills }
}

function readNow<Value>(value$: Observable<Value>): Value | undefined {
  let found: Value | undefined
  value$.subscribe((value) => (found = value)).unsubscribe()
  return found
}

function isFileCommands(commands: PromptCommands): commands is FileCommands {
  return 'skills' in commands
}
