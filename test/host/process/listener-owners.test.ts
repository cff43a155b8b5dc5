// Tests how the owner of a listening port is found.
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { listenerOwners } from '../../../lib/host/process/listener-owners.ts'

const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n'
const line = (address: string, state: string, user: number): string =>
  `   0: ${address} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000 ${String(user).padStart(5)}        0 1234 1 0000\n`

describe('listenerOwners [S12b]', () => {
  it('names the users of all listeners on the port, from both tables, once', () => {
    const tables: Record<string, string> = {
      '/proc/net/tcp':
        head + line('0100007F:2CAA', '0A', 1000) + line('0100007F:2CAB', '0A', 7) + line('00000000:2CAA', '0A', 0),
      '/proc/net/tcp6':
        head +
        line('00000000000000000000000001000000:2CAA', '0A', 1001) +
        line('00000000000000000000000000000000:2CAA', '0A', 0),
    }
    expect(listenerOwners(11_434, { read: (file) => tables[file] ?? '' })).toEqual([1000, 0, 1001])
  })

  it('does not count a connection as a listener', () => {
    expect(listenerOwners(11_434, { read: () => head + line('0100007F:2CAA', '01', 1000) })).toEqual([])
  })

  it('reads one table if there is no other, and returns nothing if there is none', () => {
    const read = (file: string): string => {
      if (file.endsWith('6')) throw new Error('ENOENT')
      return head + line('0100007F:2CAA', '0A', 3)
    }
    expect(listenerOwners(11_434, { read })).toEqual([3])
    const unreadable = (): string => {
      throw new Error('ENOENT')
    }
    expect(listenerOwners(11_434, { read: unreadable })).toBeUndefined()
  })

  it.runIf(process.platform === 'linux')(
    'finds this process on a port of its own, and none after it is closed',
    async () => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      expect(listenerOwners(port)).toEqual([process.getuid?.()])
      await new Promise((resolve) => server.close(resolve))
      expect(listenerOwners(port)).toEqual([])
    },
  )
})
