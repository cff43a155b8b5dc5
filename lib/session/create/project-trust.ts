// Answers whether a session's folder is trusted, for every part that reads files of a project.
// Guarantees: only a person's stored answer, `trust` of a client's command or a program's option makes a folder
// trusted.
import { addProjectPrompts, readPromptFiles } from '../../context/index.ts'
import type { PromptFiles } from '../../context/index.ts'
import { folderTrust, gatedPresence, projectSettingsPath } from '../../store/index.ts'
import type { FolderTrust, ProjectSource, TrustQuestion } from '../../store/index.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { OpenWarning } from '../../streams/ports/session-log.ts'
import { defaultActiveTools } from '../tools/active-tools.ts'
import type { CreateSessionOptions } from './create-session-options.ts'
import { isKnownModel } from './session-scenarios.ts'

export interface TrustSetup {
  /** The session's folder, absolute. */
  readonly cwd: string
  /** `trust` of the command that opens the session: it counts for this session alone. */
  readonly trust?: boolean | undefined
}

/**
 * Looks once, when a session opens. `trusted` gates settings, `SYSTEM.md`, skills, templates, scenarios, themes and
 * extensions of `folder` (docs/design/security.md#S3). @throws Failure `bad_config`, with `trust` `bad_request`
 */
export function projectTrust({ cwd, trust = false }: TrustSetup, home: string): FolderTrust {
  return folderTrust({ home, cwd, forThisRun: trust })
}

export interface ProgramTrust extends FolderTrust {
  /** Whether scenarios count. Default: as a person answered. */
  readonly forScenarios?: FolderTrust
  /** About files that do not count, for the log. */
  readonly trustWarnings: readonly OpenWarning[]
}

type ProjectOptions = Pick<CreateSessionOptions, 'project' | 'settings' | 'commands' | 'scenarios'>

/**
 * The trust that the option `project` of a program asks for.
 * @throws Failure `bad_config`; `bad_request` if `project` has no effect, or with `true` if the files cannot be trusted
 */
export function programTrust(
  { project, settings, commands, scenarios }: ProjectOptions,
  { home, cwd }: TrustQuestion,
): ProgramTrust {
  if (project === true || project === 'trusted') {
    if (settings !== true && commands !== true && scenarios !== true)
      throw new Failure('bad_request', 'The option project needs settings: true, commands: true or scenarios: true')
    const trust = folderTrust({ home, cwd, forThisRun: project === true })
    return {
      ...trust,
      forScenarios: trust,
      trustWarnings: trustNotices(trust, 'The option project: true uses it without an answer'),
    }
  }
  const reads = project === undefined && (settings === true || commands === true)
  const { folder, present } = reads ? gatedPresence({ cwd }) : { folder: cwd, present: [] }
  const message = oneLine(
    `${folder} has its own configuration (${present.join(', ')}), which does not count: createSession needs the option project`,
  )
  const trustWarnings = present.length === 0 ? [] : [{ code: 'folder_untrusted', message }]
  const untrusted = { trusted: false, state: 'untrusted', folder, present } as const
  return { ...untrusted, trustWarnings, ...(project === false && { forScenarios: untrusted }) }
}

/** The files of a project that `loadConfiguration` reads; undefined unless the project is trusted. */
export function projectSource({ trusted, folder, contents }: FolderTrust): ProjectSource | undefined {
  if (!trusted) return undefined
  const settings = contents?.get(projectSettingsPath)
  return {
    folder,
    ...(settings === undefined ? {} : { settings }),
    usualTools: defaultActiveTools,
    isKnownModel,
  }
}

/** `SYSTEM.md` and `APPEND_SYSTEM.md` of the user and of a trusted project. @throws Failure `bad_config` */
export function trustedPromptFiles(configFolder: string, { trusted, folder, contents }: FolderTrust): PromptFiles {
  return addProjectPrompts(readPromptFiles(configFolder), trusted ? contents : undefined, folder)
}

/** One line about files of the project that do not count. Empty if there are none, or the person wants no question. */
export function trustNotices(
  { state, folder, present, problem }: FolderTrust,
  remedy = '--trust uses it for this run',
): readonly OpenWarning[] {
  if (state !== 'untrusted' && state !== 'changed') return []
  const why = state === 'untrusted' ? 'the folder is not trusted' : (problem ?? 'it changed since you trusted it')
  const message = `${folder} has its own configuration (${present.join(', ')}), which does not count: ${why}. ${remedy}`
  return [{ code: 'folder_untrusted', message: oneLine(message) }]
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ')
}
