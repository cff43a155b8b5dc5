// Finds programs that accept connections from the network.
import { wordSource } from '../model/word-marks.ts'
import { hasFlag, operandsOf } from './call.ts'
import type { Call } from './call.ts'

export function listenerFindings({ program, args, run, invocation }: Call): void {
  if (args.at(-1) !== '--help' && listens(program, args))
    run.find('network_listener', invocation, 'accepts connections from the network')
}

function listens(program: string, args: readonly string[]): boolean {
  const operands = operandsOf(args)
  if (/^(?:flask|postgres|mysqld|redis-server|webpack-dev-server|hypercorn|waitress-serve)$/.test(program) && /(?:^| )-h[= ]?(?:0\.0\.0\.0|::)/.test(args.join(' '))) return true // prettier-ignore
  const text = args.map(wordSource).join(' ')
  if (/^(?:nc|ncat|netcat|nc\.\w+)$/.test(program)) return hasFlag(args, 'l', '--listen')
  if (program === 'socat') return /-listen:|\b(?:tcp|udp|openssl|unix|sctp)[46]?-l:/i.test(text)
  if (
    /^python[\d.]*$/.test(program) &&
    /^(?:http\.server|SimpleHTTPServer|pyftpdlib|smtpd|aiosmtpd)$/.test(args[args.indexOf('-m') + 1] ?? '')
  )
    return true
  if (program === 'php') return hasFlag(args, 'S')
  if (program === 'ruby') return text.includes('-run') && text.includes('httpd')
  if (program === 'ssh') return hasFlag(args, 'RDL')
  if (program === 'openssl') return args[0] === 's_server'
  if (program === 'busybox') return /^(?:httpd|telnetd|ftpd|tcpsvd)$/.test(args[0] ?? '')
  if (
    /^(?:http-server|live-server|serve|browser-sync|simplehttpserver|webfsd|darkhttpd|miniserve|dufs|mosh-server|websocketd)$/.test(
      program,
    )
  )
    return true
  if (
    /^(?:sshd|telnetd|in\.tftpd|tftpd|vsftpd|dropbear|xinetd|inetd|smbd|rpcbind|gost|chisel|frps|frpc)$/.test(program)
  )
    return true
  if (/^(?:ngrok|cloudflared|lt|localtunnel|bore|tailscale|zrok|serveo)$/.test(program)) {
    return (
      (program === 'tailscale' && hasFlag(args, '', '--ssh', '--advertise-routes', '--advertise-exit-node')) ||
      /^(?:http|tcp|tls|start|tunnel|local|funnel|serve|share)$/.test(operands[0] ?? '') ||
      hasFlag(args, 'p', '--port')
    )
  }
  if (/^(?:iperf3?|tcpserver|twistd?|twist|dnsmasq|httpd|apache2|lighttpd|mosquitto|haproxy|squid|stunnel|ttyd|gotty|code-server|filebrowser|rclone|websocat|dnschef|responder)$/.test(program)) return serves(program, args, text) // prettier-ignore
  if (program === 'nginx') return !hasFlag(args, 'tTvVsh')
  if (/^(?:vite|astro|nuxt|nuxi|ng|webpack|storybook|parcel)$/.test(program) && args.some((word, at) => word === '--host' && !/^[\w.]/.test(args[at + 1] ?? ''))) return true // prettier-ignore
  if (/^(?:code|code-insiders|cursor)$/.test(program)) return /^(?:tunnel|serve-web)$/.test(operands[0] ?? '')
  if (/^(?:aria2c|mongod|systemd-socket-activate|redis-server)$/.test(program)) return /--rpc-listen-all|--bind_ip_all|(?:^| )(?:-l|--listen)[= ]|--protected-mode[= ]no|0\.0\.0\.0/.test(text) // prettier-ignore
  if (program === 'adb') return operands[0] === 'tcpip'
  if (program === 'jupyter') return /--ip[= ](?:0\.0\.0\.0|\*|::)/.test(text)
  if (program === 'docker' || program === 'podman') return /(?:-H|--host)[= ]tcp:\/\/0\.0\.0\.0/.test(text)
  if (program === 'kubectl') return /^(?:port-forward|proxy)$/.test(operands[0] ?? '') && /--address[= ]0\.0\.0\.0/.test(text) // prettier-ignore
  if (program === 'caddy') return /^(?:file-server|reverse-proxy|respond)$/.test(operands[0] ?? '')
  return /(?:^| )(?:-[Hb]|runserver|--?(?:server\.address|host|hostname|bind|bind_ip|ip|listen|listen-address|address|addr|bind-address|inspect|inspect-brk))[= ](?:tcp:\/\/)?(?:0\.0\.0\.0|\[?::\]?)(?:[: ]|$)/.test(
    text,
  )
}

/** Servers that also have other modes. */
function serves(program: string, args: readonly string[], text: string): boolean {
  if (/^iperf3?$/.test(program)) return hasFlag(args, 's', '--server')
  if (program === 'rclone') return /^(?:serve|rcd)\b/.test(text)
  if (program === 'websocat') return /-s\b|--server|ws-l:|tcp-l:/.test(text)
  if (/^twistd?$/.test(program)) return /\b(?:web|ftp|dns|conch|portforward)\b/.test(text)
  return !/(?:^| )(?:-t|-v|-V|--version|--test|configtest)(?: |$)/.test(text)
}
