// Finds the users that listen on a local port, from the kernel's tables alone.
import { readFileSync } from 'node:fs'

/** @param read reads a file's text; @default of the kernel's tables */
export interface ListenerOwnersOptions {
  readonly read?: (file: string) => string
}

/**
 * The users whose sockets listen on this TCP port, on any local address; empty if there is none. Undefined if there is
 * no readable `/proc/net/tcp`.
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

/** A machine without IPv6 has only one table. */
function tableOf(file: string, read: (file: string) => string): string[] {
  try {
    return [read(file)]
  } catch {
    return []
  }
}

const listening = '0A'

/**
 * Columns: number, local address with its port in hexadecimal, remote address, state, three of queues and timers, user.
 */
function ownersIn(table: string, port: number): number[] {
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , user = ''] = line.trim().split(/\s+/)
    const [, portText = ''] = local.split(':')
    return state === listening && Number.parseInt(portText, 16) === port && /^\d+$/.test(user) ? [Number(user)] : []
  })
}
