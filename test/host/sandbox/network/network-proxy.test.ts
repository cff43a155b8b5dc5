import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { mergeMap, ReplaySubject, share, take } from 'rxjs'
import type { Subscription } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openNetworkProxy } from '../../../../lib/host/sandbox/network/network-proxy.ts'
import type { NetworkProxy, Resolve } from '../../../../lib/host/sandbox/network/network-proxy.ts'
import type { NetworkRefusal } from '../../../../lib/host/sandbox/network/domain-rules.ts'
import { createBox, noSandbox } from '../box.ts'

let origin: Server
let port: number
let subscription: Subscription
let refusals: NetworkRefusal[]

beforeEach(async () => {
  origin = createServer((request, response) => response.end(`${request.method} ${request.headers.host} ${request.url}`))
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
  const address = origin.address()
  port = typeof address === 'object' ? (address?.port ?? 0) : 0
  refusals = []
})
afterEach(async () => {
  subscription.unsubscribe()
  origin.closeAllConnections()
  await new Promise((resolve) => origin.close(resolve))
})

const names: Readonly<Record<string, readonly string[]>> = {
  'api.test': ['127.0.0.1'],
  'rebind.example': ['127.0.0.1'],
}
const resolve: Resolve = (host, found) => {
  found(null, names[host] ?? [])
}

function open(allow: readonly string[], resolveName = resolve): Promise<NetworkProxy> {
  return new Promise((opened, failed) => {
    const proxy$ = openNetworkProxy({ allow }, resolveName).pipe(share({ connector: () => new ReplaySubject(1) }))
    subscription = proxy$.pipe(mergeMap(({ refusals$ }) => refusals$)).subscribe((refusal) => refusals.push(refusal))
    proxy$.pipe(take(1)).subscribe({
      next: opened,
      error: failed,
    })
  })
}

/** Everything that the proxy answers to these bytes, sent one after the other's first answer. */
function talk(socket: string, first: string, second?: string): Promise<string> {
  return new Promise((ended) => {
    let text = ''
    const client = connect(socket, () => client.write(first))
    client.on('data', (chunk) => {
      if (text === '' && second !== undefined) client.write(second)
      text += chunk.toString()
    })
    client.on('error', () => ended(text))
    client.on('close', () => ended(text))
  })
}

describe('openNetworkProxy', () => {
  it('opens a tunnel to an allowed host [SANDBOX-network]', async () => {
    const { socket } = await open([`api.test:${port}`])
    const text = await talk(
      socket,
      `CONNECT api.test:${port} HTTP/1.1\r\n\r\n`,
      'GET /x HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n',
    )
    expect(text).toContain('200 Connection established')
    expect(text).toContain('GET api.test /x')
  })

  it('passes on what a client sends before its tunnel is open', async () => {
    const requested = Promise.withResolvers<() => void>()
    const { socket } = await open([`api.test:${port}`], (_host, found) => {
      requested.resolve(() => found(null, ['127.0.0.1']))
    })
    const client = connect(socket, () => client.write(`CONNECT api.test:${port} HTTP/1.1\r\n\r\n`))
    const finishResolving = await requested.promise
    const pieces = ['GET /x HTTP/1.1\r\n', 'Host: api.test\r\n', 'Connection: close\r\n\r\n']
    for (const piece of pieces) {
      client.write(piece)
      await wait(10) // each is a chunk
    }
    finishResolving()
    let text = ''
    for await (const chunk of client) text += String(chunk)
    expect(text).toContain('GET api.test /x')
  })

  it.each([
    ['request', (address: string) => `GET http://${address}/ HTTP/1.1\r\nHost: api.test\r\n\r\n`],
    ['tunnel', (address: string) => `CONNECT ${address} HTTP/1.1\r\n\r\n`],
  ])('connects nowhere for a %s whose client left while the name was resolved', async (_, bytesFor) => {
    let connections = 0
    origin.on('connection', () => (connections += 1))
    const requested = Promise.withResolvers<() => void>()
    const { socket } = await open([`api.test:${port}`], (_host, found) => {
      requested.resolve(() => found(null, ['127.0.0.1']))
    })
    const client = connect(socket, () => client.write(bytesFor(`api.test:${port}`)))
    const finishResolving = await requested.promise
    client.destroy()
    await wait(50) // the proxy sees the end of the connection
    finishResolving()
    await wait(50)
    expect(connections).toBe(0)
  })

  it('forwards plain HTTP, with the host of the address and not of the header [SANDBOX-network]', async () => {
    const { socket } = await open([`api.test:${port}`])
    const text = await talk(
      socket,
      `GET http://api.test:${port}/y?z HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
    )
    expect(text).toContain(`GET api.test:${port} /y?z`)
  })

  it.each([
    ['a host that is not in the list', 'other.test', 'is not in sandbox.network.allow'],
    ['an address', '127.0.0.1', 'is not in sandbox.network.allow'],
    ['a public name that leads to a private address', 'rebind.example', 'leads to a private address'],
  ])('refuses %s, with the reason [SANDBOX-network]', async (_, host, reason) => {
    const { socket } = await open([`api.test:${port}`, `rebind.example:${port}`])
    const text = await talk(socket, `CONNECT ${host}:${port} HTTP/1.1\r\n\r\n`)
    await talk(socket, `GET http://${host}:${port}/ HTTP/1.1\r\nConnection: close\r\n\r\n`)
    expect(text).toMatch(/^HTTP\/1.1 403/)
    expect(text).toContain(reason)
    expect(refusals).toHaveLength(1)
  })

  it.each([
    'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'CONNECT x HTTP/1.1\r\n\r\n',
    'GET https://x/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'nonsense\r\n\r\n',
  ])('answers 400 to %j', async (bytes) => {
    const { socket } = await open([])
    expect(await talk(socket, bytes)).toMatch(/^HTTP\/1.1 400/)
  })

  it.each([
    ['request', (address: string) => `GET http://${address}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`],
    ['tunnel', (address: string) => `CONNECT ${address} HTTP/1.1\r\n\r\n`],
  ])('answers 502 to a %s to a port at which nothing listens', async (_, bytesFor) => {
    await new Promise((closed) => origin.close(closed))
    const { socket } = await open([`api.test:${port}`])
    const text = await talk(socket, bytesFor(`api.test:${port}`))
    expect(text).toMatch(/^HTTP\/1.1 502/)
    expect(text).toContain(`api.test:${port} does not answer`)
  })

  it('closes the socket and its connections in the end', async () => {
    const { socket } = await open([`api.test:${port}`])
    const talking = talk(socket, `CONNECT api.test:${port} HTTP/1.1\r\n\r\n`)
    await new Promise((resolve_) => setTimeout(resolve_, 20))
    subscription.unsubscribe()
    await talking
    expect(existsSync(socket)).toBe(false)
  })

  it.skipIf(noSandbox !== undefined)(
    'serves a command in a real sandbox, and nothing else is reached [SANDBOX-network]',
    async () => {
      await open([])
      const box = await createBox()
      const rule = `127.0.0.1:${port}`
      // the address itself is local for the command, so it asks by the name that no_proxy does not have
      const script = `exec 5<>/dev/tcp/127.0.0.1/3128; printf 'GET http://${rule}/in HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n' >&5; cat <&5; echo; (: < /dev/tcp/127.0.0.1/${port}) 2>&1 | grep -q refused && echo refused; echo "$https_proxy"`
      const ran = await box.run(script, { mode: 'workspace', network: { allow: [rule] } })
      await box.close()
      expect(ran.stdout).toContain(`GET ${rule} /in`)
      expect(ran.stdout).toContain('\nrefused\nhttp://127.0.0.1:3128\n')
    },
  )
})
