// Lists the paths that no tool may read or write, for sandbox, path fence and policy.
// Guarantees: decides by names alone, so the caller passes real paths; see docs/design/security.md#S14.
import path from 'node:path'
import { isInside, realTarget } from '../files/resolve-path.ts'
import type { RxpiPaths } from '../files/paths.ts'

/** Absolute, real paths that the rules depend on. */
export interface ProtectedSurroundings {
  /** The user's home folder. */
  readonly homeFolder: string
  /** rxpi's own folders: configuration, state, trust, keys, extensions (`ownFolders`). */
  readonly rxpiFolders: readonly string[]
  /** Files and folders that decide what git runs, beyond the names below (`findGitPaths`). */
  readonly gitPaths?: readonly string[]
  /** Where credentials of the home really are, if links lead there (`credentialTargets`). */
  readonly linkedCredentials?: readonly string[]
}

/** `deny`: no tool writes it. `ask`: a person decides about each write. */
export type WriteProtection = 'deny' | 'ask'

/** rxpi's own folders, as the rules need them. */
export function ownFolders({ home, config }: Pick<RxpiPaths, 'home' | 'config'>): readonly string[] {
  return [home, config]
}

/** The protection of a path against writes; undefined if it has none. */
export function writeProtection(file: string, surroundings: ProtectedSurroundings): WriteProtection | undefined {
  if (isProtectedFromWrites(file, surroundings)) return 'deny'
  return isStartUpFile(file, surroundings) ? 'ask' : undefined
}

/**
 * True for rxpi's own folders, `.rxpi`, credentials, and everything that decides which programs git runs, whether it
 * exists or not.
 */
export function isProtectedFromWrites(file: string, surroundings: ProtectedSurroundings): boolean {
  const { rxpiFolders, gitPaths = [] } = surroundings
  if ([...rxpiFolders, ...gitPaths].some((folder) => isInside(file, folder))) return true
  const names = plainNames(file)
  return names.includes('.rxpi') || isGitControl(names) || isCredentialPath(file, surroundings)
}

/** True for files that a shell, an editor, the desktop or a later session runs or trusts by itself. */
export function isStartUpFile(file: string, { homeFolder }: Pick<ProtectedSurroundings, 'homeFolder'>): boolean {
  const names = plainNames(file)
  if (names.some((name) => startUpFolders.has(name)) || startUpFiles.has(names.at(-1) ?? '')) return true
  return isInstruction(names) || startUpPaths.some((relative) => isInside(file, path.join(homeFolder, relative)))
}

/** True for keys, tokens and memory of other processes: denied to every tool, also for reading. */
export function isCredentialPath(file: string, surroundings: CredentialSurroundings): boolean {
  const { homeFolder, rxpiFolders = [], linkedCredentials = [] } = surroundings
  if (/^\/proc\/.+\/(?:environ|mem|pagemap)$|^\/proc\/(?:kcore|keys)$/.test(file)) return true
  if (/^\/proc\/(?:[^/]+\/)+(?:root|cwd|fd|map_files)(?:\/|$)|^\/dev\/(?:k?mem|port)$/.test(file)) return true
  if (rxpiFolders.some((folder) => secretOwnFiles.some((name) => file === path.join(folder, name)))) return true
  const plain = plainPath(path.resolve(file))
  return [plainCredentials(homeFolder), linkedCredentials.map(plainPath)].some((secrets) =>
    secrets.some((secret) => plain === secret || plain.startsWith(`${secret}/`)),
  )
}

/** The list of the last home folder: each decision of a session asks for the same. */
let plainList: { readonly homeFolder: string; readonly secrets: readonly string[] } | undefined

function plainCredentials(homeFolder: string): readonly string[] {
  if (plainList?.homeFolder !== homeFolder)
    plainList = { homeFolder, secrets: credentialPaths(homeFolder).map(plainPath) }
  return plainList.secrets
}

export type CredentialSurroundings = Pick<ProtectedSurroundings, 'homeFolder' | 'linkedCredentials'> & {
  readonly rxpiFolders?: readonly string[]
}

/** The real targets of credentials that are links, as with `~/.ssh` in a folder of dot files. */
export function credentialTargets(homeFolder: string): readonly string[] {
  return credentialPaths(homeFolder).flatMap((file) => {
    const real = realTarget(file)
    return real === file ? [] : [real]
  })
}

/** Credentials as absolute paths: what the sandbox hides, whether each exists or not. */
export function credentialPaths(homeFolder: string): readonly string[] {
  return [...homeCredentials.map((relative) => path.join(homeFolder, relative)), ...systemCredentials]
}

/** Files and folders of the home that hold keys, tokens or sockets of agents. */
export const homeCredentials: readonly string[] = [
  '.ssh',
  '.gnupg',
  '.pki',
  '.aws',
  '.azure',
  '.config/gcloud',
  '.config/doctl',
  '.config/hub',
  '.config/gh',
  '.config/glab-cli',
  '.config/op',
  '.config/sops',
  '.config/containers/auth.json',
  '.config/git/credentials',
  '.config/pip/pip.conf',
  '.config/composer/auth.json',
  '.config/google-chrome',
  '.config/chromium',
  '.config/BraveSoftware',
  '.config/rclone',
  '.config/configstore',
  '.kube',
  '.docker',
  '.oci',
  '.terraform.d/credentials.tfrc.json',
  '.terraformrc',
  '.vault-token',
  '.netrc',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pypirc',
  '.gem/credentials',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.git-credentials',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.nuget/NuGet/NuGet.Config',
  '.pgpass',
  '.my.cnf',
  '.mylogin.cnf',
  '.password-store',
  '.local/share/keyrings',
  '.mozilla',
  '.thunderbird',
  '.1password',
  '.bitwarden',
  '.Xauthority',
  '.ICEauthority',
  '.claude/.credentials.json',
  '.codex/auth.json',
  '.pi/agent/auth.json',
  '.bash_history',
  '.zsh_history',
  '.python_history',
  '.node_repl_history',
  '.psql_history',
  '.mysql_history',
  'Library/Keychains',
  'Library/Cookies',
  'Library/Application Support/Google/Chrome',
  'Library/Application Support/Firefox',
]

/** Readable by root alone; a session of root hides them too. */
const systemCredentials: readonly string[] = [
  '/etc/shadow',
  '/etc/gshadow',
  '/etc/sudoers',
  '/etc/sudoers.d',
  '/etc/krb5.keytab',
]

/** In rxpi's own folders. */
const secretOwnFiles: readonly string[] = ['auth.json', 'accounts.json', 'models.json', 'proxy-token', 'mcp-token']

const startUpFiles: ReadonlySet<string> = new Set([
  '.mcp.json',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.kshrc',
  '.cshrc',
  '.tcshrc',
  '.login',
  '.logout',
  '.inputrc',
  '.xprofile',
  '.xinitrc',
  '.xsession',
  '.xsessionrc',
  '.pam_environment',
  '.gitconfig',
  '.envrc',
])

/** Skills and commands: instructions of later sessions, in a project and in the home. */
export const instructionFolders = ['.agents/skills', '.claude/commands', '.claude/skills'] as const

const startUpFolders: ReadonlySet<string> = new Set(['.vscode', '.idea', '.direnv'])

/** Below the home folder. */
export const startUpPaths: readonly string[] = [
  '.config/fish',
  '.config/git',
  '.config/autostart',
  '.config/systemd',
  '.config/environment.d',
  '.config/direnv',
  '.local/share/systemd',
  '.local/bin',
  'Library/LaunchAgents',
  'Library/LaunchDaemons',
]

/** Names of start-up files and folders that a workspace may contain. */
export const startUpNames: readonly string[] = [...startUpFiles, ...startUpFolders, ...instructionFolders]

/** Inside such a folder, or the folder around one itself, which could be replaced as a whole. */
function isInstruction(names: readonly string[]): boolean {
  return instructionFolders.some((folder) => {
    const [outer = '', inner] = folder.split('/')
    return names.some((name, at) => name === outer && (names[at + 1] === inner || at === names.length - 1))
  })
}

/** Entries of a git folder that decide which programs git runs, or where it reads that from. */
export const gitControlNames: readonly string[] = ['hooks', 'config', 'config.worktree', 'commondir', 'gitdir']

function isGitControl(names: readonly string[]): boolean {
  const first = names.indexOf('.git')
  if (first < 0) return false
  // `.git` itself: a file there leads git to another folder
  const inside = names.slice(first + 1)
  return inside.length === 0 || inside.some((name) => gitControlNames.includes(name))
}

function plainNames(file: string): readonly string[] {
  return plainPath(file)
    .split(path.sep)
    .filter((name) => name !== '')
}

/** The path as macOS and git compare names: without case and invisible characters. */
function plainPath(file: string): string {
  const visible = /[\u0080-\uffff]/.test(file) ? file.replaceAll(invisible, '').normalize('NFC') : file
  return visible.toLowerCase()
}

const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g
