// Finds shells whose input or output is a network connection.
import { rawText, shellText, wordSource } from '../model/word-marks.ts'
import { hasFlag } from './call.ts'
import type { Call } from './call.ts'

const netcats = new Set(['nc', 'ncat', 'netcat', 'nc.traditional', 'nc.openbsd'])
const senders = new Set([...netcats, 'telnet', 'socat', 'openssl'])
const shells = /^(?:(?:ba|z|da|k|c|tc|fi|a)?sh|busybox|python[\d.]*|perl|ruby|php|node)$/
const local = /^\/dev\/(?:tcp|udp)\/(?:localhost|127\.\d+\.\d+\.\d+|::1)\//

export function reverseShellFindings(call: Call): void {
  const reason = reasonOf(call)
  if (reason !== undefined) call.run.find('reverse_shell', call.invocation, reason)
}

function reasonOf({ program, args, invocation, frame }: Call): string | undefined {
  const target = invocation.redirections.find((each) => /^\/dev\/(?:tcp|udp)\//.test(each.target ?? ''))?.target
  if (target !== undefined) {
    if (shells.test(program)) return 'connects a shell to another machine'
    if (program === 'exec' && (!local.test(target) || args.length > 0)) return 'connects this shell to another machine'
  }
  if (senders.has(program) && frame.stdin?.includes(shellText) === true) {
    return 'sends the output of a shell to another machine'
  }
  if (shells.test(program) && frame.stdin?.includes(rawText) === true) return 'runs what another machine sends'
  if (netcats.has(program) && hasFlag(args, 'ec', '--exec', '--sh-exec', '--lua-exec')) {
    return 'gives a shell to the other end of the connection'
  }
  if (program === 'socat') {
    const text = args.map(wordSource).join(' ')
    const runs = /\b(?:exec|system|shell):/i.test(text)
    if (runs && /\b(?:tcp|udp|openssl|ssl|sctp)[\w-]*:/i.test(text)) return 'connects a program to the network'
  }
  if (
    /^(?:g|m|n)?awk$/.test(program) &&
    args.some((word) => /\/inet[46]?\/(?:tcp|udp)\//.test(word) && /getline|\|&/.test(word))
  )
    return 'runs what another machine sends'
  if (program === 'ztcp' || (program === 'zmodload' && args.includes('zsh/net/tcp'))) return 'opens a raw connection'
  if (/^(?:xterm|rxvt|urxvt)$/.test(program) && args.includes('-display')) {
    const display = args[args.indexOf('-display') + 1] ?? ''
    return /^[\w.-]+:\d/.test(display) ? 'opens a terminal on another machine' : undefined
  }
  return undefined
}
