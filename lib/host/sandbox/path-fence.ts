// Decides which files the file tools may read and write: the sandbox's fence, inside this process.
// Guarantees: decides on real paths, links followed; `openInside` checks again what it opened.
import path from 'node:path'
import type { FenceAccess, FencedPath, FenceRefusal, FenceZone, PathFence } from '../../streams/ports/sandbox.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isInside, realTarget } from '../files/resolve-path.ts'
import { credentialTargets, isCredentialPath, writeProtection } from './protected-paths.ts'
import type { ProtectedSurroundings } from './protected-paths.ts'

/** `workspace` writes in the workspace and the temporary folder, `read-only` in the latter, `off` where rules allow. */
export type FenceMode = 'workspace' | 'read-only' | 'off'

export interface PathFenceOptions extends ProtectedSurroundings {
  /** Absolute; a link is followed. */
  readonly workspace: string
  /** The session's temporary folder, absolute. */
  readonly temp?: string
  /** Names that mean the temporary folder, as in the sandbox: `/tmp`. Default: none. */
  readonly tempNames?: readonly string[]
  /** Absolute folders that count as inside for reading: spill files, loaded skills. */
  readonly extraReadable?: readonly string[]
  /** Absolute folders that count as inside for writing too. */
  readonly extraWritable?: readonly string[]
  readonly mode: FenceMode
}

export function createPathFence(options: PathFenceOptions): PathFence {
  const rules = realOptions(options)
  const checkReal: PathFence['checkReal'] = (real, access) => decide(real, access, rules)
  return {
    checkReal,
    check: (file, access) => checkReal(realTarget(mapTemp(path.resolve(file), rules, options.workspace)), access),
  }
}

/** All folders as real paths, so that names can be compared. */
function realOptions(options: PathFenceOptions): PathFenceOptions {
  const real = (folders: readonly string[] = []): readonly string[] => folders.map(realTarget)
  return {
    ...options,
    workspace: realTarget(options.workspace),
    homeFolder: realTarget(options.homeFolder),
    rxpiFolders: real(options.rxpiFolders),
    gitPaths: real(options.gitPaths),
    linkedCredentials: options.linkedCredentials ?? credentialTargets(options.homeFolder),
    extraReadable: real(options.extraReadable),
    extraWritable: real(options.extraWritable),
    ...(options.temp !== undefined && { temp: realTarget(options.temp) }),
  }
}

/** `/tmp/x` as the sandbox sees it, unless it leads into the workspace. */
function mapTemp(file: string, options: PathFenceOptions, writtenWorkspace: string): string {
  const { temp, tempNames = [], workspace, extraReadable = [], extraWritable = [] } = options
  if (temp === undefined) return file
  const itself = [writtenWorkspace, workspace, temp, ...extraReadable, ...extraWritable]
  if (itself.some((folder) => isInside(file, folder))) return file
  const name = tempNames.find((folder) => isInside(file, folder))
  return name === undefined ? file : path.join(temp, path.relative(name, file))
}

function decide(real: string, access: FenceAccess, options: PathFenceOptions): FencedPath | FenceRefusal {
  if (isCredentialPath(real, options)) return refusal(real, access, 'credential')
  const zone = zoneOf(real, options)
  if (access === 'read') return { allowed: true, path: real, zone, asks: false }
  const protection = writeProtection(real, options)
  if (protection === 'deny') return refusal(real, access, 'protected')
  if (!isWritable(real, zone, options)) return refusal(real, access, 'outside')
  return { allowed: true, path: real, zone, asks: protection === 'ask' }
}

function zoneOf(
  real: string,
  { workspace, temp, extraReadable = [], extraWritable = [] }: PathFenceOptions,
): FenceZone {
  if (temp !== undefined && isInside(real, temp)) return 'temp'
  if ([workspace, ...extraWritable].some((folder) => isInside(real, folder))) return 'workspace'
  return extraReadable.some((folder) => isInside(real, folder)) ? 'readable' : 'outside'
}

function isWritable(real: string, zone: FenceZone, { mode, workspace }: PathFenceOptions): boolean {
  if (mode === 'off' || zone === 'temp') return true
  return mode === 'workspace' && zone === 'workspace' && real !== workspace
}

const reasons = {
  credential: 'it holds keys, tokens or the memory of a process, which no tool may use',
  protected: 'it decides what rxpi or git runs, so only a person may change it',
  outside: 'it is outside the folders that this session may write',
} as const

function refusal(real: string, access: FenceAccess, reason: FenceRefusal['reason']): FenceRefusal {
  const message = `${real} may not be ${access === 'read' ? 'read' : 'written'}: ${reasons[reason]}`
  const failure = new Failure('not_allowed', message, { data: { path: real, reason } })
  return { allowed: false, path: real, reason, failure }
}
