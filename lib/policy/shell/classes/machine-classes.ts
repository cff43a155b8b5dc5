// Finds commands that stop the machine or end processes.
import { ownJob, wordText } from '../model/word-marks.ts'
import { hasFlag, operandsOf } from './call.ts'
import type { Call } from './call.ts'

export function machineFindings({ program, args, run, invocation }: Call): void {
  const later = laterReason(program, args)
  if (later !== undefined) run.unknown('code', invocation.words.map(wordText).join(' '), later)
  const stop = stopReason(program, args)
  if (stop !== undefined) run.find('shutdown', invocation, stop)
  const end = endReason(program, args)
  if (end !== undefined) run.find('process_termination', invocation, end)
}

/** Why a call runs commands that are not in its words. */
function laterReason(program: string, args: readonly string[]): string | undefined {
  if (program === 'crontab')
    return hasFlag(args, 'l') || args.length === 0 ? undefined : 'changes commands that run later'
  if (program === 'at' || program === 'batch') return hasFlag(args, 'lqc') ? undefined : 'runs commands later'
  if (/^(?:ba|z)?sh$/.test(program) && hasFlag(args, '', '--rcfile', '--init-file')) return 'runs a start-up file first'
  const makefile = args[args.indexOf('-f') + 1] ?? ''
  if (/^g?make$/.test(program) && args.includes('-f') && (makefile === '-' || makefile.startsWith('/dev/'))) {
    return 'runs a makefile that is no file'
  }
  const isHidden = (word: string): boolean => word.includes('[') && (word.includes('$(') || word.includes('`'))
  const evaluates = /^(?:let|test|\[|printf|unset|read|declare|typeset|local|export)$/.test(program)
  const isIndex = program === 'test' || program === '[' ? args.includes('-v') : program !== 'printf' || args[0] === '-v'
  return evaluates && isIndex && args.some(isHidden) ? 'hides a command in an index' : undefined
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
      const stops = /^(?:poweroff|reboot|halt|kexec|soft-reboot|suspend|hibernate|hybrid-sleep|rescue|emergency|exit)$/
      return stops.test(verb) ? 'stops or restarts the machine' : undefined
    }
    case 'isolate':
      return undefined
    case 'kexec':
      return hasFlag(args, 'e', '--exec') ? 'restarts the machine into another kernel' : undefined
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
    case 'systemctl':
      return args.includes('kill') ? 'ends the processes of a service' : undefined
    case 'npx':
    case 'kill-port':
    case 'fkill':
      return program !== 'npx' ? 'ends processes' : undefined
    default:
      return undefined
  }
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
