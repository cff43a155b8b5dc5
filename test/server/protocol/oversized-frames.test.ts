// Tests how clients handle a server line over the length limit.
import { duplexPair } from 'node:stream'
import { firstValueFrom, lastValueFrom, skipWhile } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { connect } from '../../../lib/server/client/client.ts'
import { reconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import { helloFrame } from '../../../lib/server/protocol/frame.ts'
import { splitLines } from '../../../lib/server/protocol/split-lines.ts'
import { createStreamTransport } from '../../../lib/server/protocol/stream-transport.ts'
import type { Transport } from '../../../lib/server/protocol/transport.ts'

const hello = helloFrame({
  server: { name: 'rxpi', version: '1', pid: 1, epoch: 'aaaaaaaaaa' },
  limits: {},
  capabilities: [],
})

/** A server that greets and then sends a line without end. */
function talkative(maxLength: number): Transport {
  const [client, server] = duplexPair()
  server.write(`${hello}\n`)
  server.write('x'.repeat(maxLength + 1))
  server.resume()
  return createStreamTransport(client, {}, splitLines({ maxLength }))
}

describe('a server’s line over the limit', () => {
  it('ends the connection of a client with message_too_large', async () => {
    const client = connect(talkative(1_000))
    const request$ = client.request({ type: 'ping' })
    await expect(lastValueFrom(request$, { defaultValue: undefined })).rejects.toMatchObject({
      code: 'message_too_large',
      recoverable: false,
    })
    expect((await firstValueFrom(client.ended$, { defaultValue: undefined }))?.code).toBe('message_too_large')
  })

  it('closes a reconnecting client, which would read the same line again', async () => {
    let connections = 0
    const client = reconnectingClient({
      open: () => {
        connections += 1
        return [talkative(1_000)]
      },
    })
    const closed$ = client.connection$.pipe(skipWhile(({ status }) => status !== 'closed'))
    expect(await firstValueFrom(closed$, { defaultValue: undefined })).toMatchObject({
      status: 'closed',
      failure: { code: 'message_too_large' },
    })
    expect(connections).toBe(1)
  })
})
