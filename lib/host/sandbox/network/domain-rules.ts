// Decides which hosts a sandboxed command may reach, by name before and by address after resolution.
import { BlockList, isIP } from 'node:net'
import { Failure } from '../../../streams/values/failure.ts'

export interface NetworkRules {
  /**
   * Names (`example.com`), their subdomains (`*.example.com`), addresses; each may end with `:port`. Without a port, 80
   * and 443 are meant.
   */
  readonly allow: readonly string[]
}

export interface NetworkRefusal {
  readonly host: string
  readonly port: number
  readonly reason: 'host' | 'port' | 'address'
}

export interface DomainRules {
  /** Undefined if the connection is allowed. */
  refuse(host: string, port: number): NetworkRefusal | undefined
  /** True if a connection to this address of the host is allowed: private ones only if the list names them. */
  allowsAddress(host: string, address: string): boolean
}

interface Entry {
  readonly name: string
  readonly isWildcard: boolean
  readonly ports: readonly number[]
}

const webPorts: readonly number[] = [80, 443]

/** @throws Failure `bad_config` for an entry that is not a name or address */
export function createDomainRules({ allow }: NetworkRules): DomainRules {
  const entries = allow.map(parseEntry)
  return {
    refuse: (written, port) => {
      const host = plainHost(written)
      const matching = entries.filter((entry) => matches(entry, host))
      if (matching.some(({ ports }) => ports.includes(port))) return undefined
      return { host, port, reason: matching.length > 0 ? 'port' : 'host' }
    },
    allowsAddress: (written, address) => {
      if (!isInternal(address)) return true
      const host = plainHost(written)
      // a wildcard or a public name never leads inside: its owner decides where it points
      return entries.some(
        ({ name, isWildcard }) => !isWildcard && name === host && (isIP(name) !== 0 || isLocalName(name)),
      )
    },
  }
}

function parseEntry(entry: string): Entry {
  const [, bracketed, plain, port] =
    /^(?:\[([0-9a-f:.]+)\]|([^\s:/@[\]]+|[0-9a-f]*:[0-9a-f:.]+))(?::(\d{1,5}))?$/i.exec(entry) ?? []
  const written = bracketed ?? plain ?? ''
  const isWildcard = written.startsWith('*.')
  const name = plainHost(isWildcard ? written.slice(2) : written)
  const isName = isIP(name) !== 0 || /^(?!-)[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(name)
  if (!isName || (isWildcard && isIP(name) !== 0) || Number(port ?? 1) > 65_535)
    throw new Failure(
      'bad_config',
      `sandbox.network.allow: "${entry}" is not a host; write example.com, *.example.com or example.com:8443`,
    )
  return { name, isWildcard, ports: port === undefined ? webPorts : [Number(port)] }
}

function matches({ name, isWildcard }: Entry, host: string): boolean {
  return isWildcard ? host.endsWith(`.${name}`) : host === name
}

/** Lower case, without brackets and a final dot. */
function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

/** Names that the person's own network resolves: their owner is not a stranger. */
function isLocalName(name: string): boolean {
  return !name.includes('.') || /\.(?:local|localhost|internal|lan|home\.arpa|test)$/.test(name)
}

const internal = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  internal.addSubnet(net, bits, 'ipv4')
// Public IPv6 is 2000::/3; of it not: teredo and documentation, 6to4. Mapped and translated IPv4 is outside of it.
const publicIPv6 = new BlockList()
publicIPv6.addSubnet('2000::', 3, 'ipv6')
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  internal.addSubnet(net, bits, 'ipv6')

/** True for addresses that are not in the public internet. */
export function isInternal(address: string): boolean {
  if (isIP(address) === 4) return internal.check(address, 'ipv4')
  if (isIP(address) === 6) return !publicIPv6.check(address, 'ipv6') || internal.check(address, 'ipv6')
  return true
}
