// Finds out by one real run whether this machine can sandbox commands, and why not.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EMPTY, Observable, catchError, defer, expand, finalize, map, of, takeLast, tap } from 'rxjs'
import { describeThrown } from '../../streams/values/failure.ts'
import { shareOnce } from '../../streams/rx/share-once.ts'
import { findProgram } from '../process/find-program.ts'
import { sandboxCommand } from './sandbox-command.ts'
import type { WrappedCommand } from './sandbox-command.ts'
import { holdPlaceholders } from './guarded-paths.ts'
import type { SandboxProgram } from './sandbox-profile.ts'

export type SandboxProbe =
  | { readonly works: true; readonly program: SandboxProgram; readonly message: string }
  /** `message` says why not, and how to get one. */
  | { readonly works: false; readonly reason: SandboxFault; readonly message: string }

export type SandboxFault = 'missing' | 'namespaces' | 'apparmor' | 'container' | 'leaks' | 'platform' | 'failed'

let probe$: Observable<SandboxProbe> | undefined

/**
 * Runs the sandbox once, with a write outside and a look at the network; emits once and never fails. One run for each
 * process, whose result stays if the sandbox works. Takes about 10 ms.
 */
export function probeSandbox(): Observable<SandboxProbe> {
  probe$ ??= probeWith(findSandboxProgram()).pipe(tap(forgetFailure), shareOnce())
  return probe$
}

/** A machine under load may fail once, and a person may install what is missing. */
function forgetFailure({ works }: SandboxProbe): void {
  if (!works) probe$ = undefined
}

/** bubblewrap or sandbox-exec in the system's folders; no PATH of a client counts. */
export function findSandboxProgram(): SandboxProgram | undefined {
  const kind = process.platform === 'darwin' ? 'sandbox-exec' : 'bubblewrap'
  const program = findProgram(kind === 'bubblewrap' ? 'bwrap' : kind, {
    searchPath: undefined,
    workspace: '/nonexistent',
  })
  return program === undefined ? undefined : { kind, program }
}

/** As `probeSandbox`, for this program and without memory. */
export function probeWith(found: SandboxProgram | undefined): Observable<SandboxProbe> {
  if (process.platform !== 'linux' && process.platform !== 'darwin') return of(fault('platform', platformText))
  if (found === undefined) return of(fault('missing', missingText()))
  return defer(() => {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-probe-')))
    const [workspace, temp, outside] = ['workspace', 'temp', 'outside'].map((name) => path.join(folder, name)) as [
      string,
      string,
      string,
    ]
    for (const each of [workspace, temp, outside]) mkdirSync(each)
    const profile = { name: 'workspace', workspace, temp, homeFolder: folder, rxpiFolders: [outside] } as const
    const env = { PATH: '/usr/bin:/bin' }
    const script = probeScript(found.kind)
    const plain = { command: '/bin/sh', args: ['-c', script, workspace, outside], cwd: workspace, env }
    const outcome = (run: Run): SandboxProbe =>
      judge(run, found, {
        inside: existsSync(path.join(workspace, 'file')),
        outside: existsSync(path.join(outside, 'file')),
      })
    const attempt$ = defer(() => {
      const wrapped = sandboxCommand(profile, plain, found)
      const release = holdPlaceholders(wrapped.placeholders)
      return runOnce(wrapped).pipe(finalize(release))
    })
    return attempt$.pipe(
      // what vanished before it was mounted is not in the next plan
      expand((run, attempt) => (attempt < maxAttempts - 1 && hasMissedMount(run) ? attempt$ : EMPTY)),
      takeLast(1),
      map(outcome),
      finalize(() => rmSync(folder, { recursive: true, force: true })),
    )
  }).pipe(
    catchError((thrown: unknown) => of(fault('failed', `The sandbox could not be tried: ${describeThrown(thrown)}`))),
  )
}

/** Builtins only: each program would take a millisecond. */
function probeScript(kind: SandboxProgram['kind']): string {
  const network = kind === 'bubblewrap' ? 'while read -r name _; do echo "net $name"; done < /proc/net/dev' : ':'
  return `: > "$0/file"; (: > "$1/file") 2>/dev/null && echo wrote; echo "pid $$"; ${network}`
}

interface Run {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

const maxAttempts = 3

function hasMissedMount({ exitCode, stderr }: Run): boolean {
  return exitCode === 1 && stderr.startsWith("bwrap: Can't ")
}

const timeLimitMs = 5_000

function runOnce({ command, args, env, cwd, inputs }: WrappedCommand): Observable<Run> {
  return new Observable((subscriber) => {
    const pipes = inputs.map(() => 'pipe' as const)
    const child = spawn(command, args, {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', ...pipes],
      timeout: timeLimitMs,
      killSignal: 'SIGKILL',
    })
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.on('data', (chunk: Buffer) => {
        output[name] += chunk.toString()
      })
    inputs.forEach((bytes, index) => {
      const pipe = child.stdio[3 + index]
      if (pipe === null || pipe === undefined || !('write' in pipe)) return
      pipe.on('error', () => pipe.destroy())
      pipe.end(bytes, () => pipe.destroy())
    })
    child.once('error', (error) => subscriber.error(error))
    child.once('close', (exitCode) => {
      subscriber.next({ exitCode, ...output })
      subscriber.complete()
    })
    return () => child.kill('SIGKILL')
  })
}

function judge(
  { exitCode, stdout, stderr }: Run,
  { kind, program }: SandboxProgram,
  wrote: { readonly inside: boolean; readonly outside: boolean },
): SandboxProbe {
  if (exitCode !== 0 && !wrote.inside) return explain(program, stderr)
  const cards = [...stdout.matchAll(/^net (\S+?):/gm)].map(([, name]) => name)
  if (wrote.outside)
    return fault('leaks', `${program} runs, but a command in it wrote outside its folder; do not rely on it`)
  if (kind === 'bubblewrap' && cards.some((name) => name !== 'lo'))
    return fault(
      'leaks',
      `${program} runs, but a command in it sees the network (${cards.join(', ')}); do not rely on it`,
    )
  if (!wrote.inside) return explain(program, stderr)
  return { works: true, program: { kind, program }, message: `${program} works: no write outside, no network` }
}

function explain(program: string, stderr: string): SandboxProbe {
  const line = stderr.trim().split('\n')[0] ?? ''
  const says = line === '' ? '' : ` (it says: ${line})`
  if (readSetting('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1')
    return fault('apparmor', `AppArmor forbids ${program} its namespaces${says}; ${appArmorAdvice}`)
  if (readSetting('/proc/sys/user/max_user_namespaces') === '0')
    return fault(
      'namespaces',
      `This system allows no user namespaces${says}; an administrator runs sysctl user.max_user_namespaces=15000`,
    )
  if (readSetting('/proc/sys/kernel/unprivileged_userns_clone') === '0')
    return fault(
      'namespaces',
      `This system allows user namespaces to root alone${says}; an administrator runs sysctl kernel.unprivileged_userns_clone=1`,
    )
  if (/mount proc|pivot_root|creating new namespace|new namespace|uid map|loopback/i.test(stderr))
    return fault(
      'container',
      `${program} cannot create its namespaces${says}; in a container, start that with user namespaces and an unmasked /proc (docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined), or take the container as the sandbox`,
    )
  return fault('failed', `${program} does not run${says}`)
}

const appArmorAdvice =
  'an administrator installs apparmor-profiles, links /usr/share/apparmor/extra-profiles/bwrap-userns-restrict into /etc/apparmor.d and runs apparmor_parser -r on it'

const platformText = `There is no sandbox for ${process.platform}; rxpi sandboxes commands on Linux and macOS`

function missingText(): string {
  if (process.platform === 'darwin') return 'sandbox-exec was not found, although macOS brings it in /usr/bin'
  return `bubblewrap (bwrap) was not found; install it: ${installCommand()}`
}

/** The command of this distribution. */
function installCommand(): string {
  const release = readSetting('/etc/os-release') ?? ''
  const names = [...release.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)"?$/gm)].flatMap(([, value = '']) => value.split(' '))
  return names.map((name) => installers[name]).find((command) => command !== undefined) ?? 'sudo apt install bubblewrap'
}

const installers: Readonly<Record<string, string | undefined>> = {
  debian: 'sudo apt install bubblewrap',
  ubuntu: 'sudo apt install bubblewrap',
  fedora: 'sudo dnf install bubblewrap',
  rhel: 'sudo dnf install bubblewrap',
  arch: 'sudo pacman -S bubblewrap',
  alpine: 'sudo apk add bubblewrap',
  suse: 'sudo zypper install bubblewrap',
  opensuse: 'sudo zypper install bubblewrap',
  nixos: 'nix-env -iA nixos.bubblewrap',
  gentoo: 'sudo emerge sys-apps/bubblewrap',
  void: 'sudo xbps-install bubblewrap',
}

function readSetting(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined // this system has no such setting
  }
}

function fault(reason: SandboxFault, message: string): SandboxProbe {
  return { works: false, reason, message }
}
