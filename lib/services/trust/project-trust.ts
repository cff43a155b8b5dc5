// Answers whether a session's folder is trusted, for every part that reads files of a project.
// Guarantees: only a stored answer of a person or `trust` in a client's command makes a folder trusted.
import { addProjectPrompts, readPromptFiles } from '../../context/index.ts'
import type { PromptFiles } from '../../context/index.ts'
import { folderTrust, projectSettingsPath } from '../../store/index.ts'
import type { FolderTrust, ProjectSource } from '../../store/index.ts'
import { isKnownModel } from '../../session/create/session-scenarios.ts'
import { defaultActiveTools } from '../../session/tools/active-tools.ts'
import type { Notice } from '../contract/server-backend.ts'

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

/** What `loadConfiguration` reads of a project; undefined unless it is trusted. */
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
export function trustNotices({ state, folder, present, problem }: FolderTrust): readonly Notice[] {
  if (state !== 'untrusted' && state !== 'changed') return []
  const why = state === 'untrusted' ? 'the folder is not trusted' : (problem ?? 'it changed since you trusted it')
  const message = `${folder} has its own configuration (${present.join(', ')}), which does not count: ${why}. --trust uses it for this run`
  return [{ code: 'folder_untrusted', message: message.replaceAll(/[\r\n]+/g, ' ') }]
}
