// Wraps a command so that the system's sandbox runs it: bubblewrap on Linux, sandbox-exec on macOS.
import { existsSync } from 'node:fs'
import { realTarget } from '../files/resolve-path.ts'
import { inheritedDescriptors } from './inherited-descriptors.ts'
import { planMounts } from './mount-plan.ts'
import type { GuardedPath, Mount } from './mount-plan.ts'
import { divideEnvironment, sandboxEnvironment } from './sandbox-environment.ts'
import { sandboxExecProfile } from './sandbox-exec-profile.ts'
import type {
  PlainCommand,
  SandboxedCommand,
  SandboxLimits,
  SandboxProfile,
  SandboxProgram,
} from './sandbox-profile.ts'
import { seccompFilter } from './seccomp-filter.ts'
import { forwarderScript, forwarderPort, nodeMount, proxyMount } from './proxy-forwarder.ts'

export interface WrappedCommand extends SandboxedCommand {
  /** Folders to create before the start and to remove after the end (`holdPlaceholders`). */
  readonly placeholders: readonly string[]
  /** Paths to check after the end (`restoreGuarded`). */
  readonly guarded: readonly GuardedPath[]
}

/**
 * Returns the command that runs `command` inside. Reads the disk for links, git's configuration and sockets, and
 * changes nothing; with `placeholders` not created, bubblewrap would create and leave them.
 */
export function sandboxCommand(
  profile: SandboxProfile,
  command: PlainCommand,
  program: SandboxProgram,
): WrappedCommand {
  return program.kind === 'bubblewrap' ? bubblewrap(profile, command, program) : sandboxExec(profile, command, program)
}

function bubblewrap(profile: SandboxProfile, plain: PlainCommand, { program }: SandboxProgram): WrappedCommand {
  const { network, proxySocket } = profile
  const ownProxy = network === undefined ? proxySocket : undefined
  const proxyPort = ownProxy === undefined ? network?.proxyPort : forwarderPort
  const env = sandboxEnvironment(plain.env, { temp: '/tmp', ...(proxyPort !== undefined && { proxyPort }) })
  const { outer, inner } = divideEnvironment(env)
  const { mounts, placeholders, guarded } = planMounts(profile, plain.env)
  const filter = seccompFilter()
  const args = [
    ...namespaces,
    ...(network === undefined ? ['--unshare-net'] : []),
    // the filter keeps a program from typing into the terminal as if it were the user
    ...(plain.hasTerminal === true && filter !== undefined ? [] : ['--new-session']),
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--ro-bind', '/proc/sys', '/proc/sys'],
    ...mounts.flatMap((mount) => mountArguments(mount, profile.temp)),
    ...(ownProxy === undefined ? [] : ['--ro-bind', ownProxy, proxyMount, '--ro-bind', process.execPath, nodeMount]),
    // at last: until here folders inside had to be created
    ...mounts.filter(({ kind }) => kind === 'hide-folder').flatMap(({ path }) => ['--remount-ro', path]),
    ...(filter === undefined ? [] : ['--seccomp', '3']),
    ...Object.entries(inner).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', realTarget(plain.cwd), '--'],
    ...innerCommand(plain, profile.limits, ownProxy !== undefined),
  ]
  const inputs = filter === undefined ? [] : [filter]
  const [command, ...enter] = network?.enter ?? [program]
  if (network !== undefined) enter.push(program)
  return { command, args: [...enter, ...args], cwd: '/', env: outer, inputs, placeholders, guarded }
}

/** `--new-session` takes the terminal away; `--die-with-parent` ends all if rxpi is killed. */
const namespaces: readonly string[] = [
  ...['user', 'pid', 'ipc', 'uts'].map((name) => `--unshare-${name}`),
  '--unshare-cgroup-try',
  ...['--die-with-parent', '--cap-drop', 'ALL'],
]

function mountArguments({ path, kind }: Mount, temp: string): readonly string[] {
  switch (kind) {
    case 'write':
      return ['--bind', path, path]
    case 'read':
      return ['--ro-bind', path, path]
    case 'placeholder':
      return ['--ro-bind-try', path, path]
    case 'temp':
      return ['--bind', temp, path]
    case 'hide-file':
      return ['--ro-bind', '/dev/null', path]
    case 'empty':
    case 'hide-folder':
      return ['--tmpfs', path]
  }
}

/**
 * Limits are set by a shell inside, which then becomes the command; in a network of its own it starts the forwarder.
 */
function innerCommand(
  { command, args }: PlainCommand,
  limits: SandboxLimits = {},
  startsForwarder: boolean,
): readonly string[] {
  const { processes = 2048, fileBytes = 0 } = limits
  const open = inheritedDescriptors()
  const lines = [
    // one of a folder would lead out
    ...open.map((descriptor) => `exec ${descriptor}<&-`),
    // dash calls the number of processes -p, bash calls it -u
    ...(processes > 0 ? [`ulimit -u ${processes} 2>/dev/null || ulimit -p ${processes} 2>/dev/null`] : []),
    ...(fileBytes > 0 ? [posixUnits, `ulimit -f ${Math.ceil(fileBytes / 512)}`] : []),
    ...(startsForwarder ? [forwarderScript()] : []),
  ]
  if (lines.length === 0) return [command, ...args]
  const shell = open.some((descriptor) => descriptor > 9) && existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh' // sh reads one digit
  return [shell, '-c', `${lines.join('\n')}\nexec "$0" "$@"`, command, ...args]
}

/** bash counts 1,024 bytes otherwise. */
const posixUnits = '[ -z "$BASH_VERSION" ] || set -o posix'

function sandboxExec(profile: SandboxProfile, plain: PlainCommand, { program }: SandboxProgram): WrappedCommand {
  const env = sandboxEnvironment(plain.env, { temp: profile.temp })
  const { outer, inner } = divideEnvironment(env)
  const variables = Object.entries(inner).map(([name, value]) => `${name}=${value}`)
  const args = [
    '-p',
    sandboxExecProfile(profile, plain.env),
    '/usr/bin/env',
    ...variables,
    plain.command,
    ...plain.args,
  ]
  return { command: program, args, cwd: plain.cwd, env: outer, inputs: [], placeholders: [], guarded: [] }
}
