// Finds commands that stop the machine or end processes.
import { hidesCommand } from '../model/hidden-command.ts'
import { ownJob, wordText } from '../model/word-marks.ts'
import { hasFlag, operandsOf } from './call.ts'
import type { Call } from './call.ts'

export function machineFindings({ program, args, run, invocation }: Call): void {
  const later = laterReason(program, args)
  if (later !== undefined) run.unknown('code', invocation.words.map(wordText).join(' '), later)
  const stop = stopReason(program, args)
  if (stop !== undefined) run.find('shutdown', invocation, stop)
  const end = initScriptReason(invocation.words[0] ?? '', args) ?? endReason(program, args)
  if (end !== undefined) run.find('process_termination', invocation, end)
}

/** Why a call runs commands that are not in its words. */
function laterReason(program: string, args: readonly string[]): string | undefined {
  if (program === 'crontab')
    return hasFlag(args, 'l') || args.length === 0 ? undefined : 'changes commands that run later'
  if (program === 'at' || program === 'batch') return hasFlag(args, 'lqc') ? undefined : 'runs commands later'
  if (startsLater(program, args)) return 'changes what starts by itself later'
  if (program === 'run-parts')
    return hasFlag(args, '', '--test', '--list', '--help') ? undefined : 'runs every program of a folder'
  if (program === 'git' && args.some((word) => /core\.hookspath/i.test(word)) && !args.includes('--get'))
    return 'makes git run the hooks of another folder'
  if (/^(?:ba|z)?sh$/.test(program) && hasFlag(args, '', '--rcfile', '--init-file')) return 'runs a start-up file first'
  const makefile = args[args.indexOf('-f') + 1] ?? ''
  if (/^g?make$/.test(program) && args.includes('-f') && (makefile === '-' || makefile.startsWith('/dev/'))) {
    return 'runs a makefile that is not a file'
  }
  const evaluates = /^(?:let|test|\[|printf|wait|unset|read|declare|typeset|local|export)$/.test(program)
  const isIndex = program === 'test' || program === '[' ? args.includes('-v') : program !== 'printf' || args[0] === '-v'
  return evaluates && isIndex && args.some(hidesCommand) ? 'hides a command in an index' : undefined
}

/** True for services and timers that outlive the command. */
function startsLater(program: string, args: readonly string[]): boolean {
  const [verb = ''] = operandsOf(args)
  switch (program) {
    case 'systemctl':
      return /^(?:enable|reenable|link|edit|preset|preset-all|add-wants|add-requires)$/.test(verb)
    case 'systemd-run':
      return args.some((word) => /^--(?:on-|timer-property|path-property|socket-property)/.test(word))
    case 'launchctl':
      return /^(?:load|bootstrap|enable|submit|kickstart)$/.test(verb)
    case 'update-rc.d':
      return args.some((word) => /^(?:defaults|enable)/.test(word))
    case 'rc-update':
    case 'chkconfig':
      return args.some((word) => /^(?:add|on|--add)$/.test(word))
    case 'schtasks':
      return args.some((word) => /^\/(?:create|change|run)$/i.test(word))
    default:
      return false
  }
}

function stopReason(program: string, args: readonly string[]): string | undefined {
  const operands = operandsOf(args)
  switch (program) {
    case 'shutdown':
      return hasFlag(args, 'ck', '--show') ? undefined : 'stops the machine'
    case 'reboot':
    case 'halt':
    case 'poweroff':
      return hasFlag(args, 'w', '--wtmp-only') ? undefined : 'stops or restarts the machine'
    case 'init':
    case 'telinit':
      return operands.length === 1 && /^[016sS]$/.test(operands[0] ?? '')
        ? 'changes the run level of the machine'
        : undefined
    case 'systemctl':
    case 'loginctl': {
      const verb = operands.find((word) => !/^-/.test(word)) ?? ''
      const stops =
        /^(?:poweroff|reboot|halt|kexec|soft-reboot|suspend|hibernate|hybrid-sleep|rescue|emergency|exit|isolate|set-default)$/
      const target = operandsOf(args)
        .slice(1)
        .some((word) => /^(?:poweroff|reboot|halt|kexec|rescue|emergency|suspend|hibernate)\.target$/.test(word))
      return target || stops.test(verb) ? 'stops or restarts the machine' : undefined
    }
    case 'kexec':
      return hasFlag(args, 'e', '--exec') ? 'restarts the machine into another kernel' : undefined
    case 'rtcwake':
      return args.includes('no') || args.includes('show') ? undefined : 'suspends the machine'
    case 'stop-computer':
    case 'restart-computer':
      return 'stops or restarts the machine'
    case 'gnome-session-quit':
      return hasFlag(args, '', '--power-off', '--reboot') ? 'stops or restarts the machine' : undefined
    case 'pmset':
      return /^(?:sleepnow|shutdown|restart)\b/.test(operands[0] ?? '') ? 'suspends the machine' : undefined
    case 'pm-suspend':
    case 'pm-hibernate':
      return 'suspends the machine'
    case 'wsl':
      return args.includes('--shutdown') ? 'stops the virtual machine' : undefined
    case 'osascript':
      return args.some((word) => /shut ?down|restart/i.test(word)) ? 'stops or restarts the machine' : undefined
    case 'dbus-send':
    case 'busctl':
    case 'gdbus':
      return args.some((word) => /PowerOff|Reboot|Hibernate/.test(word)) ? 'stops or restarts the machine' : undefined
    default:
      return undefined
  }
}

function endReason(program: string, args: readonly string[]): string | undefined {
  switch (program) {
    case 'kill':
      return killReason(args)
    case 'pkill':
    case 'killall':
    case 'killall5':
    case 'skill':
    case 'slay':
      return hasFlag(args, 'l', '--list') || args.includes('-0') ? undefined : 'ends processes by their name'
    case 'xkill':
    case 'taskkill':
    case 'stop-process':
      return 'ends processes'
    case 'fuser':
      return hasFlag(args, 'k', '--kill') ? 'ends the processes that use a file or a port' : undefined
    case 'kill-port':
    case 'fkill':
    case 'fkill-cli':
      return 'ends processes'
    default:
      return serviceReason(program, args)
  }
}

/** Why a call ends a service, a session or a container; `docker stop` of a named one is daily work. */
function serviceReason(program: string, args: readonly string[]): string | undefined {
  const [verb = '', second = ''] = operandsOf(args)
  switch (program) {
    case 'systemctl':
      return /^(?:stop|kill|restart|try-restart|mask)$/.test(verb) ||
        (/^(?:disable|mask)$/.test(verb) && args.includes('--now'))
        ? 'ends the processes of a service'
        : undefined
    case 'service':
    case 'rc-service':
      return /^(?:stop|restart)$/.test(second) ? 'ends the processes of a service' : undefined
    case 'initctl':
    case 'sv':
    case 'supervisorctl':
    case 's6-svc':
      return /^(?:stop|restart|down|shutdown|force-stop|exit)$/.test(verb)
        ? 'ends the processes of a service'
        : undefined
    case 'launchctl':
      return /^(?:unload|bootout|kill|stop|remove|disable)$/.test(verb) ? 'ends the processes of a service' : undefined
    case 'brew':
      return verb === 'services' && /^(?:stop|restart|kill)$/.test(second)
        ? 'ends the processes of a service'
        : undefined
    case 'loginctl':
      return /^(?:terminate|kill)-/.test(verb) ? 'ends the sessions of a user' : undefined
    case 'docker':
    case 'podman':
    case 'nerdctl':
      return verb === 'kill' || (verb === 'container' && second === 'kill')
        ? 'ends the processes of a container'
        : undefined
    case 'kubectl':
    case 'oc':
      return /^(?:drain|rollout)$/.test(verb) && (verb === 'drain' || second === 'restart')
        ? 'ends the processes of a cluster'
        : undefined
    case 'pm2':
      return /^(?:kill|delete|stop)$/.test(verb) ? 'ends processes' : undefined
    case 'tmux':
      return verb === 'kill-server' ? 'ends every terminal session' : undefined
    case 'screen':
      return args.includes('quit') || args.includes('kill') ? 'ends a terminal session' : undefined
    default:
      return undefined
  }
}

function initScriptReason(name: string, [verb = '']: readonly string[]): string | undefined {
  return /^\/etc\/(?:rc\.d\/)?init\.d\//.test(name) && /^(?:stop|restart)$/.test(verb)
    ? 'ends the processes of a service'
    : undefined
}

/** `kill` of jobs that this command started passes; so do signal 0 and the list of signals. */
function killReason(args: readonly string[]): string | undefined {
  if (/^-(?:l|L|0)$/.test(args[0] ?? '') || (args[0] === '-s' && args[1] === '0')) return undefined
  const hasSignal = /^-(?:[a-zA-Z]+\d*|\d+)$/.test(args[0] ?? '') && args.length > 1
  const targets = args
    .slice(args[0] === '-s' || args[0] === '-n' ? 2 : hasSignal ? 1 : 0)
    .filter((word) => word !== '--')
  if (targets.length === 0) return undefined
  if (targets.includes('-1')) return 'ends every process that it may end'
  return targets.every((word) => word === ownJob || word.startsWith('%')) ? undefined : 'ends processes'
}
