// Creates the sandbox of a session: runs commands inside, and gives file tools the same fence.
import { chmodSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AsyncSubject, concatMap, concatWith, defer, finalize, map, NEVER, of, startWith, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { PathFence, SandboxMode, SandboxProfileName } from '../../../streams/ports/sandbox.ts'
import { Failure } from '../../../streams/values/failure.ts'
import { removeTemporaryFolder } from '../../files/remove-temporary.ts'
import { realTarget } from '../../files/resolve-path.ts'
import { storageFailure } from '../../files/storage-failure.ts'
import { guardFolder } from '../../process/guardian.ts'
import { spawnProcess } from '../../process/spawn-process.ts'
import { spawnTerminal } from '../../process/terminal.ts'
import { findGitPaths } from '../git-paths.ts'
import { missingSandbox } from './missing-sandbox.ts'
import { spawnInNetwork } from './session-network.ts'
import { createPathFence } from '../path-fence.ts'
import { credentialTargets } from '../protected-paths.ts'
import { lazyProbe$ } from '../lazy-probe.ts'
import type { SandboxProbe } from '../probe-sandbox.ts'
import type { NetworkRefusal, NetworkRules } from '../network/domain-rules.ts'
import { openNetworkProxy } from '../network/network-proxy.ts'
import { packageRegistries } from '../network/package-registries.ts'
import type { InsideOptions, SandboxedEvent } from '../spawn-inside.ts'
import type { SandboxLimits, SandboxProfile, SandboxProgram } from '../sandbox-profile.ts'

export interface SandboxSettings {
  /** Default: `auto`. */
  readonly mode?: SandboxMode
  /** Hosts that commands may reach, through the filtering proxy; default: no network at all. */
  readonly network?: NetworkRules
  /** Absolute folders beside the workspace that commands may write. */
  readonly writable?: readonly string[]
  readonly limits?: SandboxLimits
}

export interface SandboxSurroundings {
  /** Absolute. */
  readonly workspace: string
  readonly homeFolder: string
  /** rxpi's own folders (`ownFolders`). */
  readonly rxpiFolders: readonly string[]
  /** The client's environment. */
  readonly env: Readonly<Record<string, string>>
  /** Absolute folders inside hidden ones that stay readable: spill files, loaded skills. */
  readonly readable?: readonly string[]
  /** Absolute paths that are hidden beside the credentials of `homeFolder`. */
  readonly hidden?: readonly string[]
  /** Default: that of this machine. */
  readonly probe$?: Observable<SandboxProbe>
}

export interface Sandbox {
  /** Undefined: commands run without a sandbox. */
  readonly profile: SandboxProfileName | undefined
  /** Why there is none, and what to do; undefined if there is one or none is configured. */
  readonly problem: string | undefined
  /**
   * The session's temporary folder on the host; commands in bubblewrap see it as `/tmp`. Undefined without a sandbox.
   */
  readonly temp: string | undefined
  /**
   * Absolute folders beside the workspace that calls inside may write, by their names inside. Empty without a sandbox.
   */
  readonly insideFolders: readonly string[]
  /** For the file tools; in mode `off` and without a sandbox it refuses credentials and protected paths only. */
  readonly fence: PathFence
  /**
   * As `spawnProcess`, inside; outside if there is no sandbox. Before its `end` it emits one `fence` if something had
   * to be moved away or reported. Unsubscribing ends all processes.
   */
  spawn(options: InsideOptions): Observable<SandboxedEvent>
  /** Each refused connection, once per host while the sandbox is open; hot. Never emits without a proxy. */
  readonly networkRefusals$: Observable<NetworkRefusal>
  /** True if the last command that started shares its loopback with the others of the session. */
  sharesNetwork(): boolean
}

/**
 * Emits the sandbox of one session and stays open; unsubscribing closes its proxy and removes its temporary folder.
 * Errors: a Failure `bad_config` if `read-only` or `workspace` is demanded and the machine cannot (`message` says how
 * to get it), or if the network rules are not valid; `storage` without a temporary folder.
 */
export function createSandbox(settings: SandboxSettings, surroundings: SandboxSurroundings): Observable<Sandbox> {
  const { mode = 'auto' } = settings
  if (mode === 'off') return of(withoutSandbox(surroundings, undefined)).pipe(concatWith(NEVER))
  return (surroundings.probe$ ?? lazyProbe$).pipe(
    concatMap((probe) => {
      const problem = probe.works ? obstacleOf(settings, surroundings, probe.program) : probe.message
      if (mode === 'auto' && problem !== undefined)
        return of(withoutSandbox(surroundings, problem)).pipe(concatWith(NEVER))
      if (probe.works)
        return withTemp((ground) => openSandbox(settings, surroundings, { ...ground, program: probe.program }))
      return throwError(() => missingSandbox(mode, probe))
    }),
  )
}

/** A private folder for the time of the subscription, whose end `end$` emits; the guardian removes it after a crash. */
function withTemp(open: (ground: Omit<SandboxGround, 'program'>) => Observable<Sandbox>): Observable<Sandbox> {
  return defer(() => {
    const temp = createTemp()
    const release = guardFolder(temp)
    const end$ = new AsyncSubject<undefined>()
    const remove = (): void => {
      end$.next(undefined)
      end$.complete()
      removeTemporaryFolder(temp)
      release()
    }
    return open({ temp, end$ }).pipe(
      concatMap((sandbox) => NEVER.pipe(startWith(sandbox))), // stays open
      finalize(remove),
    )
  })
}

function createTemp(): string {
  try {
    const temp = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-session-')))
    chmodSync(temp, 0o700)
    return temp
  } catch (thrown) {
    throw storageFailure(`create a temporary folder in ${tmpdir()}`, thrown)
  }
}

function withoutSandbox(surroundings: SandboxSurroundings, problem: string | undefined): Sandbox {
  const { workspace, readable = [] } = surroundings
  const fence = createPathFence({ ...fenceRules(surroundings), workspace, extraReadable: readable, mode: 'off' })
  return {
    profile: undefined,
    problem,
    temp: undefined,
    insideFolders: [],
    fence,
    spawn: spawnOutside,
    networkRefusals$: NEVER,
    sharesNetwork: () => false,
  }
}

function spawnOutside({ input$, ...options }: InsideOptions): Observable<SandboxedEvent> {
  return input$ === undefined ? spawnProcess(options) : spawnTerminal({ ...options, input$ })
}

interface SandboxGround {
  readonly temp: string
  readonly program: SandboxProgram
  /** Emits when the sandbox closes, and at once after that. */
  readonly end$: Observable<unknown>
}

function openSandbox(
  settings: SandboxSettings,
  surroundings: SandboxSurroundings,
  ground: SandboxGround,
): Observable<Sandbox> {
  const { network } = settings
  const { temp, program, end$ } = ground
  const profile = profileOf(settings, surroundings, temp)
  const obstacle = obstacleOf(settings, surroundings, program)
  if (obstacle !== undefined) return throwError(() => new Failure('bad_config', obstacle))
  const base = {
    profile: profile.name,
    problem: undefined,
    temp,
    insideFolders: [temp, ...tempNames(program), ...writableOf(profile)],
    fence: fenceOf(profile, surroundings, program),
  }
  const open = (proxySocket?: string, networkRefusals$: Observable<NetworkRefusal> = NEVER): Sandbox => ({
    ...base,
    networkRefusals$,
    ...spawnInNetwork({ profile: { ...profile, ...(proxySocket !== undefined && { proxySocket }) }, program, end$ }),
  })
  if (network === undefined || network.allow.length === 0) return of(open())
  return withRegistries(network, surroundings).pipe(
    concatMap((rules) => openNetworkProxy(rules)),
    map(({ socket, refusals$ }) => open(socket, refusals$)),
  )
}

/** The rules with the hosts of the user's package managers in place of the preset `registries`. */
function withRegistries(rules: NetworkRules, surroundings: SandboxSurroundings): Observable<NetworkRules> {
  const named = rules.allow.filter((entry) => entry !== 'registries')
  if (named.length === rules.allow.length) return of(rules)
  return packageRegistries(surroundings).pipe(map((registries) => ({ allow: [...named, ...registries] })))
}

/** Why these settings cannot be met by a sandbox that works; undefined if they can. */
function obstacleOf(
  { network }: SandboxSettings,
  { workspace }: SandboxSurroundings,
  { kind }: SandboxProgram,
): string | undefined {
  if (realTarget(workspace) === '/') return rootText
  return kind !== 'bubblewrap' && (network?.allow.length ?? 0) > 0 ? noProxyText : undefined
}

const rootText = 'The folder / cannot be the workspace of a sandbox; start rxpi in a project, or with the sandbox off'
const noProxyText = 'sandbox.network.allow works on Linux only; remove it, or set the sandbox to off'

function profileOf(
  { mode, writable = [], limits }: SandboxSettings,
  { workspace, homeFolder, rxpiFolders, readable = [], hidden = [] }: SandboxSurroundings,
  temp: string,
): SandboxProfile {
  return {
    name: mode === 'read-only' ? 'read-only' : 'workspace',
    workspace: realTarget(workspace),
    temp,
    homeFolder: realTarget(homeFolder),
    rxpiFolders: rxpiFolders.map(realTarget),
    readable: readable.map(realTarget),
    hidden,
    writable: writable.map(realTarget),
    ...(limits !== undefined && { limits }),
  }
}

/** Names that the temporary folder has inside. */
function tempNames({ kind }: SandboxProgram): readonly string[] {
  return kind === 'bubblewrap' ? ['/tmp'] : []
}

function writableOf({ name, writable = [] }: SandboxProfile): readonly string[] {
  return name === 'workspace' ? writable : []
}

function fenceOf(profile: SandboxProfile, surroundings: SandboxSurroundings, program: SandboxProgram): PathFence {
  const { name, temp, readable = [] } = profile
  return createPathFence({
    ...fenceRules(surroundings),
    workspace: surroundings.workspace,
    temp,
    tempNames: tempNames(program),
    extraReadable: readable,
    extraWritable: writableOf(profile),
    mode: name,
  })
}

function fenceRules({ workspace, homeFolder, rxpiFolders, env, hidden = [] }: SandboxSurroundings) {
  const { control } = findGitPaths({ workspace: realTarget(workspace), homeFolder, env })
  const linkedCredentials = [...hidden, ...hidden.map(realTarget), ...credentialTargets(homeFolder)]
  return { homeFolder, rxpiFolders, gitPaths: control, linkedCredentials }
}
