// Collects what a decision needs to know about a call: files, hosts and the analysis of its command.
// Guarantees: links are followed, so a file has one name; a path that no system call takes is marked.
import path from 'node:path'
import { climbedTarget, isInside, realTarget } from '../../host/files/resolve-path.ts'
import { isCredentialPath, writeProtection } from '../../host/sandbox/protected-paths.ts'
import type { ProtectedSurroundings } from '../../host/sandbox/protected-paths.ts'
import { capabilityOf } from '../../streams/ports/tool.ts'
import type { PolicyRequest } from '../../streams/ports/policy.ts'
import { getOwn } from '../../streams/values/json.ts'
import type { CommandAnalysis, PathClimb } from '../shell/model/command-analysis.ts'
import { mayNameProtected } from './protected-patterns.ts'

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
const pathArguments = [
  'path',
  'paths',
  'file',
  'files',
  'filePath',
  'file_path',
  'filename',
  'folder',
  'dir',
  'directory',
]

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
  const files = named
    .map((written) => resolve(written, request.cwd, surroundings.homeFolder))
    .flatMap((file) => accesses.map((access) => fileAccess(file, access, ground)))
  const searched = request.tool.name === 'grep' ? files.map((file) => protectContents(file, surroundings)) : files
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
    return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string')
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

/** Without the dot at the end, which names the same host. */
function hostOf(url: unknown): string | undefined {
  if (typeof url !== 'string') return undefined
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase().replace(/\.$/, '') : undefined
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

/** `grep` prints what it finds below a folder: a person decides about one that holds credentials, and about `/proc`. */
function protectContents(file: FileAccess, { homeFolder, linkedCredentials = [] }: PolicySurroundings): FileAccess {
  const { real, protection } = file
  const secrets = [realTarget(homeFolder), ...linkedCredentials]
  const holdsSecrets =
    secrets.some((secret) => isInside(secret, real)) || /^\/proc(?:\/[^/]+(?:\/task.*)?)?$/.test(real)
  return protection === undefined && holdsSecrets ? { ...file, protection: 'ask' } : file
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
function commandFiles({ reads, writes, climbs }: CommandAnalysis, ground: Ground): readonly FileAccess[] {
  const isShort = (file: string): boolean => !isTooLong(file)
  return [
    ...reads.filter(isShort).map((file) => commandFile(file, 'read', ground)),
    ...writes.filter(isShort).map((file) => commandFile(file, 'write', ground)),
    ...climbs.flatMap((climb) => (climb.file.length > maxPath ? [] : climbedFiles(climb, ground))),
  ]
}

function commandFile(file: string, access: Access, ground: Ground): FileAccess {
  const found = file.includes('*') ? unsureAccess(file, access, ground) : fileAccess(file, access, ground)
  return { ...found, isArgument: false }
}

/** What `..` behind a link names, if that is not what the text says. Behind `*` it may be anywhere. */
function climbedFiles({ access, file }: PathClimb, ground: Ground): readonly FileAccess[] {
  const known = file.includes('*') ? file.slice(0, file.lastIndexOf('/', file.indexOf('*'))) : file
  const rest = file.slice(known.length)
  if (/\/\.\.(?:\/|$)/.test(rest)) return [{ ...anywhere, access }]
  const real = climbedTarget(known)
  return real === realTarget(known) ? [] : [commandFile(path.join(real, rest), access, ground)]
}

const anywhere = { file: '/', real: '/', zone: 'outside', protection: 'ask', isSure: false, isArgument: false } as const

/** Of a name with `*`, the folder before the first star is known. */
function unsureAccess(pattern: string, access: Access, ground: Ground): FileAccess {
  const known = pattern.slice(0, pattern.lastIndexOf('/', pattern.indexOf('*'))) || '/'
  const { file, real, zone, protection } = fileAccess(known, access, ground)
  const found = protection ?? (mayNameProtected(pattern, access, ground) ? 'ask' : undefined)
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
