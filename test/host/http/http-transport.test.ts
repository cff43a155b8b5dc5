// Tests the adapters between an HTTP transport and fetch.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { lastValueFrom, of, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import { expect, it } from 'vitest'
import { isTransportResponse, toFetch } from '../../../lib/host/http/http-fetch.ts'
import { nodeTransport } from '../../../lib/host/http/http-transport.ts'
import type { HttpRequest } from '../../../lib/host/http/http-transport.ts'
import { plainBody } from '../../../lib/host/http/raw-body.ts'
import type { RawBody } from '../../../lib/host/http/raw-body.ts'

function chunksOf(bytes$: Observable<Uint8Array>): Promise<Uint8Array[]> {
  return lastValueFrom(bytes$.pipe(toArray()), { defaultValue: [] })
}

it('adapts any transport to fetch, and passes the bytes on without the web stream', async () => {
  const sent: HttpRequest[] = []
  const fetch = toFetch((request) => {
    sent.push(request)
    const bytes$ = of(new Uint8Array([1]), new Uint8Array([2]))
    return Promise.resolve({ status: 201, statusText: 'Made', headers: new Headers(), body: Readable.from([]), bytes$ })
  })
  const response = await fetch('https://host/v1', { method: 'POST', body: 'x', redirect: 'manual' })
  expect([response.status, response.statusText]).toEqual([201, 'Made'])
  expect(sent).toMatchObject([{ method: 'POST', body: 'x', headers: { accept: '*/*' } }])
  if (!isTransportResponse(response)) throw new Error('It is no response of a transport')
  expect(await chunksOf(response.bytes$)).toEqual([new Uint8Array([1]), new Uint8Array([2])])
})

it('reads each body with the given reader, once for each response', async () => {
  const server = createServer((_, response) => response.end('whole'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const bodies: RawBody[] = []
    const transport = nodeTransport({
      readBody: (raw) => {
        bodies.push(raw)
        return plainBody(raw)
      },
    })
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const request = { url, method: 'GET', headers: {}, body: undefined, signal: undefined }
    const { bytes$, status } = await transport(request)
    expect([status, Buffer.concat(await chunksOf(bytes$)).toString()]).toEqual([200, 'whole'])
    expect(bodies).toHaveLength(1)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

it('takes its proxies from the given environment, if that one says so [S30c]', async () => {
  const server = createServer(({ url }, response) => response.end(url))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ask = async (url: string, on: string) => {
    const transport = nodeTransport({ proxyEnv: { NODE_USE_ENV_PROXY: on, http_proxy: proxy } })
    return (await toFetch(transport)(url, { redirect: 'manual' })).text()
  }
  try {
    expect(await ask('http://there.invalid/x', '1')).toBe('http://there.invalid/x')
    expect(await ask(`${proxy}/x`, '0')).toBe('/x')
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
