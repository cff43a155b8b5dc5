// Tests how `connectGateway` finds the WebSocket and sends the token.
import { filter, firstValueFrom, map, take, toArray } from 'rxjs'
import { expect, it, onTestFinished } from 'vitest'
import { connectGateway } from '../../../lib/client.ts'
import type { ConnectGatewayOptions, WebSocketLike } from '../../../lib/client.ts'
import { startGateway, token } from '../gateway/gateway-scene.ts'

/** The addresses and protocols of the sockets that it creates; none of them opens. */
function created(options: Omit<ConnectGatewayOptions, 'createSocket'>): [string, string[]][] {
  const sockets: [string, string[]][] = []
  const createSocket = (url: string, protocols: string[]): WebSocketLike => {
    sockets.push([url, protocols])
    return {
      readyState: 0,
      bufferedAmount: 0,
      send: () => undefined,
      close: () => undefined,
      addEventListener: () => undefined,
    }
  }
  connectGateway({ ...options, createSocket }).close()
  return sockets
}

it.each([
  ['http://127.0.0.1:8788', 'ws://127.0.0.1:8788/ws'],
  ['http://127.0.0.1:8788/', 'ws://127.0.0.1:8788/ws'],
  ['https://agent.example/rxpi', 'wss://agent.example/rxpi/ws'],
  ['wss://agent.example/ws', 'wss://agent.example/ws'],
])('connects to %s at %s, with the token in a subprotocol', (url, address) => {
  expect(created({ url, token: 'secret' })).toEqual([[address, ['rxpi.v1', 'rxpi.token.secret']]])
})

it('is closed by an address that is none', () => {
  const client = connectGateway({ url: 'no address', token })
  expect(client.connection$.value).toMatchObject({ status: 'closed', failure: { code: 'bad_request' } })
})

it('tries again with a new token after a refused one', async () => {
  const { url } = await startGateway()
  const tokens = ['wrong-token-of-tests', token]
  const client = connectGateway({ url, token: () => tokens.shift() ?? '', baseDelayMs: 1 })
  onTestFinished(() => client.close())
  const states$ = client.connection$.pipe(
    map(({ status }) => status),
    filter((status) => status !== 'connecting'),
    take(2),
    toArray(),
  )
  expect(await firstValueFrom(states$, { defaultValue: [] })).toEqual(['reconnecting', 'connected'])
  expect(tokens).toEqual([])
})
