// Finds programs that accept connections from the network.
import { wordSource } from '../model/word-marks.ts'
import { hasFlag, operandsOf } from './call.ts'
import type { Call } from './call.ts'

export function listenerFindings({ program, args, run, invocation }: Call): void {
  if (args.at(-1) !== '--help' && listens(program, args))
    run.find('network_listener', invocation, 'accepts connections from the network')
}

/** Programs that serve with any arguments. */
const servers = new Set(
  `http-server live-server serve browser-sync simplehttpserver webfsd darkhttpd miniserve dufs mosh-server websocketd
  sshd telnetd in.tftpd tftpd vsftpd dropbear xinetd inetd smbd rpcbind gost chisel frps frpc`.split(/\s+/),
)
const tunnels = /^(?:ngrok|cloudflared|lt|localtunnel|bore|tailscale|zrok|serveo)$/
/** Programs that serve, but for some arguments. */
const modalServers =
  /^(?:iperf3?|tcpserver|twistd?|twist|dnsmasq|httpd|apache2|lighttpd|mosquitto|haproxy|squid|stunnel|ttyd|gotty|code-server|filebrowser|rclone|websocat|dnschef|responder)$/
/** `-h` is their host, not their help. */
const hostByH = /^(?:flask|postgres|mysqld|redis-server|webpack-dev-server|hypercorn|waitress-serve)$/
const anyHostByH = /(?:^| )-h[= ]?(?:0\.0\.0\.0|::)/
const devServers = /^(?:vite|astro|nuxt|nuxi|ng|webpack|storybook|parcel)$/
const pythonServers = /^(?:http\.server|SimpleHTTPServer|pyftpdlib|smtpd|aiosmtpd)$/
/** An option that binds any program to all addresses. */
const bindsAll =
  /(?:^| )(?:-[Hb]|runserver|--?(?:server\.address|host|hostname|bind|bind_ip|ip|listen|listen-address|address|addr|bind-address|inspect|inspect-brk))[= ](?:tcp:\/\/)?(?:0\.0\.0\.0|\[?::\]?)(?:[: ]|$)/

function listens(program: string, args: readonly string[]): boolean {
  const text = args.map(wordSource).join(' ')
  if (hostByH.test(program) && anyHostByH.test(args.join(' '))) return true
  if (/^(?:nc|ncat|netcat|nc\.\w+)$/.test(program)) return hasFlag(args, 'l', '--listen')
  if (/^python[\d.]*$/.test(program) && pythonServers.test(args[args.indexOf('-m') + 1] ?? '')) return true
  if (servers.has(program)) return true
  if (tunnels.test(program)) return opensTunnel(program, args)
  if (modalServers.test(program)) return serves(program, args, text)
  if (devServers.test(program) && hasBareHost(args)) return true
  if (/^(?:aria2c|mongod|systemd-socket-activate|redis-server)$/.test(program))
    return /--rpc-listen-all|--bind_ip_all|(?:^| )(?:-l|--listen)[= ]|--protected-mode[= ]no|0\.0\.0\.0/.test(text)
  return listensByArguments(program, args, text) ?? bindsAll.test(text)
}

/** Programs with arguments of their own for serving; undefined for any other program. */
function listensByArguments(program: string, args: readonly string[], text: string): boolean | undefined {
  const [first = ''] = operandsOf(args)
  switch (program) {
    case 'socat':
      return /-listen:|\b(?:tcp|udp|openssl|unix|sctp)[46]?-l:/i.test(text)
    case 'php':
      return hasFlag(args, 'S')
    case 'ruby':
      return text.includes('-run') && text.includes('httpd')
    case 'ssh':
      return hasFlag(args, 'RDL')
    case 'openssl':
      return args[0] === 's_server'
    case 'busybox':
      return /^(?:httpd|telnetd|ftpd|tcpsvd)$/.test(args[0] ?? '')
    case 'nginx':
      return !hasFlag(args, 'tTvVsh')
    case 'code':
    case 'code-insiders':
    case 'cursor':
      return /^(?:tunnel|serve-web)$/.test(first)
    case 'adb':
      return first === 'tcpip'
    case 'jupyter':
      return /--ip[= ](?:0\.0\.0\.0|\*|::)/.test(text)
    case 'docker':
    case 'podman':
      return /(?:-H|--host)[= ]tcp:\/\/0\.0\.0\.0/.test(text)
    case 'kubectl':
      return /^(?:port-forward|proxy)$/.test(first) && /--address[= ]0\.0\.0\.0/.test(text)
    case 'caddy':
      return /^(?:file-server|reverse-proxy|respond)$/.test(first)
    default:
      return undefined
  }
}

/** `--host` without a value: all addresses. */
function hasBareHost(args: readonly string[]): boolean {
  return args.some((word, at) => word === '--host' && !/^[\w.]/.test(args[at + 1] ?? ''))
}

function opensTunnel(program: string, args: readonly string[]): boolean {
  const [verb = ''] = operandsOf(args)
  return (
    (program === 'tailscale' && hasFlag(args, '', '--ssh', '--advertise-routes', '--advertise-exit-node')) ||
    /^(?:http|tcp|tls|start|tunnel|local|funnel|serve|share)$/.test(verb) ||
    hasFlag(args, 'p', '--port')
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
