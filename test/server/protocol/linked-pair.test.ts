// Tests `linkedPair`, two transports in memory: order, buffering and closing.
import { describe, expect, it } from 'vitest'
import { lineLimit } from '../../../lib/server/protocol/transport.ts'
import { linkedPair } from '../../../lib/server/protocol/linked-pair.ts'
import type { Transport } from '../../../lib/server/protocol/transport.ts'

function heard(transport: Transport): string[] {
  const lines: string[] = []
  transport.lines$.subscribe({
    next: (line) => lines.push('text' in line ? line.text : line.problem),
    complete: () => lines.push('|'),
  })
  return lines
}

describe('linkedPair', () => {
  it('carries lines both ways, in order', () => {
    const [client, server] = linkedPair()
    const atClient = heard(client)
    const atServer = heard(server)
    client.send('1')
    server.send('a')
    client.send('2')
    expect([atServer, atClient]).toEqual([['1', '2'], ['a']])
  })

  it('holds the lines that were sent before the other end subscribed', () => {
    const [client, server] = linkedPair()
    server.send('hello')
    server.send('again')
    expect(heard(client)).toEqual(['hello', 'again'])
  })

  it('delivers a line that is sent during a delivery after it', () => {
    const [client, server] = linkedPair()
    const order: string[] = []
    server.lines$.subscribe((line) => {
      const name = 'text' in line ? line.text : ''
      order.push(`<${name}`)
      if (name === '1') client.send('2')
      order.push(`${name}>`)
    })
    client.send('1')
    expect(order).toEqual(['<1', '1>', '<2', '2>'])
  })

  it.each(['client', 'server'])('ends both directions when the %s closes, after the lines that were sent', (who) => {
    const [client, server] = linkedPair()
    const atServer = heard(server)
    const closing = who === 'client' ? client : server
    client.send('1')
    closing.close()
    closing.close()
    client.send('2')
    expect([atServer, heard(client)]).toEqual([['1', '|'], ['|']])
  })

  it('limits a client’s line in bytes, but no line of the server', () => {
    const [client, server] = linkedPair()
    const atServer = heard(server)
    client.send('é'.repeat(lineLimit / 2 + 1))
    client.send('a'.repeat(lineLimit))
    server.send('é'.repeat(lineLimit / 2 + 1))
    expect(atServer.map((line) => line.length)).toEqual(['too_large'.length, lineLimit])
    expect(heard(client)[0]).toHaveLength(lineLimit / 2 + 1)
  })

  it('counts the lines that wait for a busy or absent end, and reports when none wait', () => {
    const [client, server] = linkedPair()
    const reports: string[] = []
    server.drained$.subscribe({ next: () => reports.push('drained'), complete: () => reports.push('closed') })
    server.send('four')
    server.send('6')
    expect([server.unsent(), client.unsent()]).toEqual([7, 0])
    client.lines$.subscribe(() => reports.push(`${server.unsent()} left`))
    server.send('x')
    server.close()
    expect([server.unsent(), reports]).toEqual([0, ['2 left', '0 left', 'drained', '0 left', 'drained', 'closed']])
  })

  it('closes if 100,000 lines wait for an end', () => {
    const [client, server] = linkedPair()
    for (let line = 0; line <= 100_000; line++) server.send('x')
    expect(heard(server)).toEqual(['|'])
    expect(heard(client)).toHaveLength(100_001)
  })
})
