// Who listens on a port of this machine is told by the kernel alone, never by what answers there.
import { readFileSync } from 'node:fs'

/** @param read the text of a file; @default of the kernel's tables */
export interface ListenerOwnersOptions {
  readonly read?: (file: string) => string
}

/**
 * The users whose sockets listen on this TCP port, on any address of this machine; none where nobody does. Undefined where the
 * kernel does not tell: it has no `/proc/net/tcp`, or none that can be read.
 */
export function listenerOwners(
  port: number,
  { read = readText }: ListenerOwnersOptions = {},
): readonly number[] | undefined {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => tableOf(file, read))
  if (tables.length === 0) return undefined
  return [...new Set(tables.flatMap((table) => ownersIn(table, port)))]
}

function readText(file: string): string {
  return readFileSync(file, 'utf8')
}

/** A machine without IPv6 has one table alone. */
function tableOf(file: string, read: (file: string) => string): string[] {
  try {
    return [read(file)]
  } catch {
    return []
  }
}

const listening = '0A'

/** Columns: number, local address with its port in hexadecimal, remote address, state, three of queues and timers, user. */
function ownersIn(table: string, port: number): number[] {
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , user = ''] = line.trim().split(/\s+/)
    const [, portText = ''] = local.split(':')
    return state === listening && Number.parseInt(portText, 16) === port && /^\d+$/.test(user) ? [Number(user)] : []
  })
}
