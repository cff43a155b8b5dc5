// Finds programs that accept connections from the network.
import { wordSource } from '../model/word-marks.ts'
import { hasFlag, operandsOf } from './call.ts'
import type { Call } from './call.ts'

export function listenerFindings({ program, args, run, invocation }: Call): void {
  if (listens(program, args)) run.find('network_listener', invocation, 'accepts connections from the network')
}

function listens(program: string, args: readonly string[]): boolean {
  const operands = operandsOf(args)
  const text = args.map(wordSource).join(' ')
  if (/^(?:nc|ncat|netcat|nc\.\w+)$/.test(program)) return hasFlag(args, 'l', '--listen')
  if (program === 'socat') return /-listen:|\b(?:tcp|udp|openssl|unix|sctp)[46]?-l:/i.test(text)
  if (/^python[\d.]*$/.test(program))
    return /^(?:http\.server|SimpleHTTPServer|pyftpdlib|smtpd|aiosmtpd)$/.test(args[args.indexOf('-m') + 1] ?? '')
  if (program === 'php') return hasFlag(args, 'S')
  if (program === 'ruby') return text.includes('-run') && text.includes('httpd')
  if (program === 'ssh') return hasFlag(args, 'RDL')
  if (program === 'openssl') return args[0] === 's_server'
  if (program === 'busybox') return /^(?:httpd|telnetd|ftpd|tcpsvd)$/.test(args[0] ?? '')
  if (/^(?:http-server|live-server|serve|browser-sync|simplehttpserver|webfsd|darkhttpd|miniserve|dufs)$/.test(program))
    return true
  if (
    /^(?:sshd|telnetd|in\.tftpd|tftpd|vsftpd|dropbear|xinetd|inetd|smbd|rpcbind|gost|chisel|frps|frpc)$/.test(program)
  )
    return true
  if (/^(?:ngrok|cloudflared|lt|localtunnel|bore|tailscale|zrok|serveo)$/.test(program)) {
    return (
      /^(?:http|tcp|tls|start|tunnel|local|funnel|serve|share)$/.test(operands[0] ?? '') || hasFlag(args, 'p', '--port')
    )
  }
  if (program === 'caddy') return /^(?:file-server|reverse-proxy|respond)$/.test(operands[0] ?? '')
  return /(?:^| )(?:-H|-b|--?(?:host|hostname|bind|listen|address|addr|bind-address))[= ](?:tcp:\/\/)?(?:0\.0\.0\.0|\[?::\]?)(?:[: ]|$)/.test(
    text,
  )
}
