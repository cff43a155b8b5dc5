// Builds the policy of a session: the user's rules, remembered rules, and protected surroundings.
// Guarantees: rules are those of the opening; a later change on disk loosens nothing (docs/design/security.md#S14).
import { homedir } from 'node:os'
import path from 'node:path'
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import { realTarget } from '../../host/files/resolve-path.ts'
import { findGitPaths } from '../../host/sandbox/git-paths.ts'
import { credentialPaths, credentialTargets, ownFolders } from '../../host/sandbox/protected-paths.ts'
import { createPolicy } from '../../policy/decide/create-policy.ts'
import type { SessionPolicy } from '../../policy/decide/create-policy.ts'
import type { PolicySurroundings } from '../../policy/decide/call-facts.ts'
import { loadExampleReader } from '../../policy/decide/load-shell.ts'
import { readRules } from '../../policy/rules/read-rules.ts'
import type { ProjectRules } from '../../policy/rules/read-rules.ts'
import { rememberRule } from '../../policy/rules/remembered-rules.ts'
import type { RuleRoots } from '../../policy/rules/path-glob.ts'
import { settingsFile } from '../../store/index.ts'
import { withFileLock } from '../../store/locks/with-file-lock.ts'
import type { Settings } from '../../streams/config/settings.ts'
import { strictestMode } from '../../streams/ports/policy.ts'
import type { ApprovalMode } from '../../streams/ports/policy.ts'

/** rxpi's folders, absolute. */
export interface PolicyFolders {
  /** `$RXPI_HOME`. */
  readonly home: string
  /** The folder of `settings.json`. */
  readonly config: string
}

export interface SessionPolicySetup extends PolicyFolders {
  /** The session's folder, absolute. */
  readonly cwd: string
  /** The client's environment. */
  readonly env: Readonly<Record<string, string>>
  readonly settings: Pick<Settings, 'permissions'>
  /** The rules of a trusted project. */
  readonly project?: ProjectRules | undefined
  /** Its stored outputs count as inside the workspace. Absent: none do. */
  readonly sessionId?: string
  /** Absolute folders of skills; they count as inside for reading. */
  readonly skills?: readonly string[]
  /** Those of the session's extensions, asked for at each decision. */
  extensionSkills?(): readonly string[]
  /** Absolute folders that count as inside: the session's temporary folder. */
  readonly writable?: readonly string[]
}

/** Emits once and completes. Fails with `bad_config` that names file, rule and example; with `storage`. */
export function openPolicy(setup: SessionPolicySetup): Observable<SessionPolicy> {
  const { cwd, env, settings, project, home, config } = setup
  const roots: RuleRoots = { folder: cwd, home: homedir() }
  const { permissions = {} } = settings
  return readRules({
    permissions,
    file: settingsFile(config),
    project,
    home,
    roots,
    loadReader: loadExampleReader,
  }).pipe(
    map((rules) =>
      createPolicy({
        rules,
        surroundings: policySurroundings(setup),
        env: certainVariables(env),
        remember: (rule, digest) => rememberRule(rule, 'folder', roots, { home, exclusively: withFileLock, digest }),
      }),
    ),
  )
}

/**
 * The mode that a session opens with: that of the command, else the stricter of settings and log. A log loosens
 * nothing.
 */
export function openingMode(
  requested: ApprovalMode | undefined,
  { approve = defaultMode }: Pick<Settings, 'approve'>,
  logged?: string,
): ApprovalMode {
  return requested ?? strictestMode(approve, logged)
}

/** In a working sandbox calls run unasked; without one, changes and commands ask (docs/design/security.md#S6). */
export const defaultMode: ApprovalMode = 'writes'

function policySurroundings(setup: SessionPolicySetup): PolicySurroundings {
  const { cwd, env, home, config, sessionId, skills = [], writable = [], extensionSkills } = setup
  const homeFolder = homedir()
  const outputs = sessionId === undefined ? [] : [path.join(home, 'spill', sessionId)]
  let gitPaths: readonly string[] | undefined
  return {
    workspace: cwd,
    homeFolder,
    rxpiFolders: [...new Set(ownFolders({ home, config }).flatMap((folder) => [folder, realTarget(folder)]))],
    /** Read with the first decision: most sessions open long before. */
    get gitPaths() {
      return (gitPaths ??= findGitPaths({ workspace: realTarget(cwd), homeFolder, env }).control)
    },
    linkedCredentials: [...credentialTargets(homeFolder), ...credentialsOfClient(env, homeFolder)],
    get readable() {
      return [...outputs, ...skills, ...(extensionSkills?.() ?? [])]
    },
    writable,
  }
}

/** Commands of the client find their keys below its `HOME`. */
function credentialsOfClient({ HOME: own }: SessionPolicySetup['env'], homeFolder: string): readonly string[] {
  if (own === undefined || !path.isAbsolute(own) || own === homeFolder) return []
  return [...credentialPaths(own), ...credentialTargets(own)]
}

/** Variables that a command may rely on; no other value appears in the reason of a decision. */
const certainNames = [
  'HOME',
  'USER',
  'LOGNAME',
  'TMPDIR',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
]

function certainVariables(env: SessionPolicySetup['env']): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(certainNames.map((name) => [name, env[name]]))
}
