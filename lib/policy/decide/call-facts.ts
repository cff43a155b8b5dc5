// Collects what a decision needs to know about a call: files, hosts and the analysis of its command.
// Guarantees: links are followed, so a file has one name; a path that no system call takes is marked.
import path from 'node:path'
import picomatch from 'picomatch'
import { isInside, realTarget } from '../../host/files/resolve-path.ts'
import {
  credentialPaths,
  instructionFolders,
  isCredentialPath,
  writeProtection,
} from '../../host/sandbox/protected-paths.ts'
import type { ProtectedSurroundings } from '../../host/sandbox/protected-paths.ts'
import { capabilityOf } from '../../streams/ports/tool.ts'
import type { PolicyRequest } from '../../streams/ports/policy.ts'
import { getOwn } from '../../streams/values/json.ts'
import type { CommandAnalysis } from '../shell/model/command-analysis.ts'

export type Access = 'read' | 'write'

/** `outside`: neither in the workspace nor in a folder that counts as inside. */
export type Zone = 'inside' | 'outside'

/** One file that the call reads or changes. */
export interface FileAccess {
  readonly access: Access
  /** Absolute, as the call names it. */
  readonly file: string
  /** Absolute, links followed. */
  readonly real: string
  readonly zone: Zone
  /** `deny`: no tool may. `ask`: a person decides each time. */
  readonly protection?: 'deny' | 'ask'
  /** False: the command names it with unknown parts, `*`. */
  readonly isSure: boolean
  /** True if an argument names it, false if a command does. */
  readonly isArgument: boolean
}

export interface CallFacts {
  readonly files: readonly FileAccess[]
  /** Of a call with a shell command; absent if there is none. */
  readonly analysis?: CommandAnalysis
  /** The session's folder, absolute; with `analysis`. */
  readonly workspace?: string
  /** The host of a `url` argument. */
  readonly host?: string
  /** Why the call cannot be judged, so that it is denied. */
  readonly fault?: string
}

/** Absolute folders and files that decisions rest on. */
export interface PolicySurroundings extends ProtectedSurroundings {
  /** Absolute; the session's folder. */
  readonly workspace: string
  /** Count as inside for reading: spill files, loaded skills. */
  readonly readable?: readonly string[]
  /** Count as inside for writing too: the session's temporary folder. */
  readonly writable?: readonly string[]
}

/** Arguments of tools that name files. */
const pathArguments = ['path', 'paths', 'file', 'files', 'filePath', 'file_path', 'filename', 'folder', 'dir', 'directory'] // prettier-ignore

const accessesOfTool: Readonly<Record<string, readonly Access[]>> = {
  read: ['read'],
  grep: ['read'],
  find: ['read'],
  ls: ['read'],
  write: ['write'],
  edit: ['read', 'write'],
  hashline_edit: ['read', 'write'],
}

/** Tools that work in the session's folder if no argument names another. */
const folderTools: ReadonlySet<string> = new Set(['grep', 'find', 'ls'])

const maxPath = 4_096
const maxNames = 256

/** The shell command of a call; undefined if it has none. */
export function commandOf({ tool, args }: Pick<PolicyRequest, 'tool' | 'args'>): string | undefined {
  const command = args['command']
  return capabilityOf(tool.capability) === 'exec' && typeof command === 'string' ? command : undefined
}

export function collectFacts(
  request: PolicyRequest,
  surroundings: PolicySurroundings,
  analysis: CommandAnalysis | undefined,
): CallFacts {
  const named = namedFiles(request)
  if (named.some(isTooLong)) return { files: [], fault: 'it names a path that is too long for the system' }
  const host = hostOf(request.args['url'])
  const accesses = getOwn(accessesOfTool, request.tool.name) ?? accessesOf(request)
  const isAboutFiles =
    named.length > 0 || (analysis !== undefined && analysis.reads.length + analysis.writes.length > 0)
  const ground = isAboutFiles ? groundOf(surroundings, request.inside) : { ...surroundings, isInZone: () => false }
  const files = named.flatMap((written) => accesses.map((access) => fileAccess(resolve(written, request.cwd, surroundings.homeFolder), access, ground))) // prettier-ignore
  const searched = request.tool.name === 'grep' ? files.map((file) => withContents(file, surroundings)) : files
  return {
    files: [...searched, ...(analysis === undefined ? [] : commandFiles(analysis, ground))],
    ...(analysis !== undefined && { analysis, workspace: surroundings.workspace }),
    ...(host !== undefined && { host }),
  }
}

function accessesOf({ tool }: PolicyRequest): readonly Access[] {
  const capability = capabilityOf(tool.capability)
  if (capability === 'read' || capability === 'write') return [capability]
  return capability === 'exec' ? ['read', 'write'] : []
}

function namedFiles({ tool: { name }, args }: PolicyRequest): readonly string[] {
  const texts = pathArguments.flatMap((key) => {
    const value = args[key]
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : typeof value === 'string' ? [value] : [] // prettier-ignore
  })
  return texts.length === 0 && folderTools.has(name) ? ['.'] : texts
}

function isTooLong(file: string): boolean {
  return file.length > maxPath || file.split('/').length > maxNames
}

/** As the file tools resolve it. */
function resolve(written: string, cwd: string, home: string): string {
  if (written === '~' || written.startsWith('~/')) return path.join(home, written.slice(1))
  return path.resolve(cwd, written)
}

function hostOf(url: unknown): string | undefined {
  if (typeof url !== 'string') return undefined
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase() : undefined
}

function fileAccess(file: string, access: Access, ground: Ground): FileAccess {
  const real = realTarget(file)
  const protection = protectionOf(file, access, ground) ?? protectionOf(real, access, ground)
  return {
    access,
    file,
    real,
    zone: zoneOf(real, access, ground),
    ...(protection !== undefined && { protection }),
    isSure: true,
    isArgument: true,
  }
}

/** `grep` prints what it finds below a folder: one that holds credentials, or `/proc`, asks. */
function withContents(file: FileAccess, { homeFolder, linkedCredentials = [] }: PolicySurroundings): FileAccess {
  const { real, protection } = file
  const secrets = [realTarget(homeFolder), ...linkedCredentials]
  const holds = secrets.some((secret) => isInside(secret, real)) || /^\/proc(?:\/[^/]+(?:\/task.*)?)?$/.test(real)
  return protection === undefined && holds ? { ...file, protection: 'ask' } : file
}

function protectionOf(file: string, access: Access, surroundings: PolicySurroundings): 'deny' | 'ask' | undefined {
  if (isCredentialPath(file, surroundings)) return 'deny'
  return access === 'write' ? writeProtection(file, surroundings) : undefined
}

function zoneOf(real: string, access: Access, { isInZone }: Ground): Zone {
  return isInZone(real, access) ? 'inside' : 'outside'
}

/** The surroundings, and which real paths count as inside for each access. */
interface Ground extends PolicySurroundings {
  readonly isInZone: (real: string, access: Access) => boolean
}

/**
 * Follows the links of a folder at most once a decision, and only if no folder before it holds the file: most calls
 * name files of the workspace, and a missing folder costs the most.
 */
function groundOf(surroundings: PolicySurroundings, inside: readonly string[] = []): Ground {
  const { workspace, readable = [], writable = [] } = surroundings
  const write = [workspace, ...writable, ...inside]
  const folders: Readonly<Record<Access, readonly string[]>> = { write, read: [...write, ...readable] }
  const reals = new Map<string, string>()
  const realOf = (folder: string): string => {
    const real = reals.get(folder) ?? realTarget(folder)
    reals.set(folder, real)
    return real
  }
  return {
    ...surroundings,
    isInZone: (real, access) => folders[access].some((folder) => isInside(real, realOf(folder))),
  }
}

/** The files of a command. A name with `*` stands for several: it is protected if it may be a protected one. */
function commandFiles({ reads, writes }: CommandAnalysis, ground: Ground): readonly FileAccess[] {
  const ofAccess = (files: readonly string[], access: Access): readonly FileAccess[] =>
    files.filter((file) => !isTooLong(file)).map((file) => ({ ...(file.includes('*') ? unsureAccess(file, access, ground) : fileAccess(file, access, ground)), isArgument: false })) // prettier-ignore
  return [...ofAccess(reads, 'read'), ...ofAccess(writes, 'write')]
}

function unsureAccess(pattern: string, access: Access, ground: Ground): FileAccess {
  const known = pattern.slice(0, pattern.lastIndexOf('/', pattern.indexOf('*'))) || '/'
  const { file, real, zone, protection } = fileAccess(known, access, ground)
  const touched = mayTouch(pattern, protectedNames(access, ground)) ? 'ask' : undefined
  const found = protection ?? touched
  return {
    access,
    file,
    real,
    zone,
    ...(found !== undefined && { protection: found }),
    isSure: false,
    isArgument: false,
  }
}

/** Beyond it a regular expression could take long for a long folder: the pattern counts as touching. */
const maxStars = 4

/** What a pattern may not name: credentials, and for changes also what decides which programs run. */
function protectedNames(
  access: Access,
  { workspace, homeFolder, rxpiFolders, gitPaths = [], linkedCredentials = [] }: PolicySurroundings,
): readonly string[] {
  const credentials = [...credentialPaths(homeFolder), ...linkedCredentials]
  if (access === 'read') return credentials
  const names = ['.git', '.git/hooks', '.git/config', '.rxpi', '.vscode', '.envrc', ...instructionFolders].map((name) =>
    path.join(workspace, name),
  )
  return [...names, ...rxpiFolders, ...gitPaths, ...credentials]
}

/** True if the pattern may name one of these, or something inside. `*` is not a hidden name, as in the shell. */
function mayTouch(pattern: string, names: readonly string[]): boolean {
  const joined = pattern.replaceAll(/\*+/g, '*')
  if (joined.split('*').length - 1 > maxStars) return true
  const parts = joined.split('/')
  const folder = joined.slice(0, joined.lastIndexOf('/', joined.indexOf('*')) + 1)
  const near = names.filter((name) => name.startsWith(folder))
  if (near.length === 0) return false
  const first = parts.findIndex((part) => part.includes('*'))
  return parts.slice(first).some((_, index) => {
    const prefix = parts.slice(0, first + index + 1).join('/')
    // The shell never makes a hidden name of a part that begins with its star.
    const literal = prefix.replace(/[\\?{}()[\]!+@|$^]/g, String.raw`\$&`)
    const isMatch = picomatch(literal, { noextglob: true, nonegate: true, flags: 's' })
    return near.some((name) => isMatch(name))
  })
}
