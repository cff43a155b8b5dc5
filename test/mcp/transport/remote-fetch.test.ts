// Tests the bounds of a remote server's messages, and what counts as a lost connection.
import { describe, expect, it } from 'vitest'
import { remoteFetch } from '../../../lib/mcp/transport/remote-fetch.ts'
import { scrubSecrets } from '../../../lib/mcp/transport/scrub-secrets.ts'

const address = 'https://example.com/mcp'
const limit = 20

async function read(type: string, chunks: readonly string[]): Promise<string> {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    },
  })
  const answer = () => Promise.resolve(new Response(body, { headers: { 'content-type': type } }))
  const response = await remoteFetch({ onLost: () => undefined, fetch: answer, limit })(address)
  return response.text()
}

describe('remoteFetch', () => {
  it.each([
    ['application/json', ['x'.repeat(20)]],
    ['text/event-stream', ['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n', 'data: 4\n\n']],
    ['text/event-stream; charset=utf-8', [`data: 1\n\ndata: 2\n\ndata: 3\n\ndata: 4\n\n`]],
    ['text/event-stream', ['data: 1\r\n\r\n', 'data: 2\r\n\r', '\n', 'data: 3\r\n\r\n']],
  ])('passes messages within the limit on: %s', async (type, chunks) => {
    expect(await read(type, chunks)).toBe(chunks.join(''))
  })

  it.each([
    ['application/json', ['x'.repeat(20), 'x']],
    ['text/event-stream', [`data: ${'x'.repeat(20)}`]],
    ['text/event-stream', [`data: 1\n\ndata: ${'x'.repeat(10)}`, 'xxxxx']],
    ['text/event-stream', ['data: 123\r\n', 'data: 123\r\n', 'data: 123\r\n']],
    ['text/event-stream', ['data: 123\r', 'data: 123\r', 'data: 123\r']],
  ])('ends the answer at a message over the limit: %s', async (type, chunks) => {
    await expect(read(type, chunks)).rejects.toThrow('it sent a message of more than')
  })

  it('reports a server that cannot be reached, but not an aborted request', async () => {
    const lost: string[] = []
    const fetch = remoteFetch({
      onLost: (reason) => lost.push(reason),
      fetch: () => Promise.reject(new Error('connect ECONNREFUSED')),
    })
    await expect(fetch(address, { signal: AbortSignal.abort() })).rejects.toThrow('ECONNREFUSED')
    expect(lost).toEqual([])
    await expect(fetch(address)).rejects.toThrow('ECONNREFUSED')
    expect(lost).toEqual(['it cannot be reached: connect ECONNREFUSED'])
  })

  it('reports a session that the server does not know any more', async () => {
    const lost: string[] = []
    const fetch = remoteFetch({
      onLost: (reason) => lost.push(reason),
      fetch: () => Promise.resolve(new Response(null, { status: 404 })),
    })
    await fetch(address)
    expect(lost).toEqual([])
    await fetch(address, { headers: { 'Mcp-Session-Id': '1' } })
    expect(lost).toEqual(['it has ended the session'])
  })
})

describe('scrubSecrets', () => {
  const remote = { kind: 'http', url: address, headers: { Authorization: 'Bearer abcdef123', 'X-On': 'true' } } as const

  it('removes values of headers, variables and the client secret', () => {
    const server = { transport: remote, oauth: { clientSecret: 'hush-hush' } }
    const text = 'got "Bearer abcdef123" and abcdef123 and hush-hush, true'
    expect(scrubSecrets(text, server)).toBe('got "[redacted:mcp]" and [redacted:mcp] and [redacted:mcp], true')
    const stdio = { kind: 'stdio', command: 'x', args: [], env: { KEY: 'abcdef123' } } as const
    expect(scrubSecrets('no abcdef123', { transport: stdio })).toBe('no [redacted:mcp]')
  })

  it('returns one short line without active characters', () => {
    const text = scrubSecrets(`\u001b[31ma\nb ${'x'.repeat(1_000)}`, { transport: remote })
    expect(text).toMatch(/^␛\[31ma b x+…$/)
    expect(text.length).toBeLessThanOrEqual(500)
  })
})
