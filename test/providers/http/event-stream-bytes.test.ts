// Tests that `eventStreamBytes` closes a stalled JSON body on unsubscription.
import { expect, it } from 'vitest'
import { httpFetch } from '../../../lib/host/http/http-fetch.ts'
import { eventStreamBytes } from '../../../lib/providers/http/event-stream-bytes.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'

it.each([
  ['over node:http', httpFetch],
  ['by the platform', globalThis.fetch],
])('closes a JSON body that stands still when nobody waits for it any more (%s)', async (_, fetch) => {
  await using server = await rawSseServer({
    headers: { 'content-type': 'application/json' },
    body: ['{"choices":'],
    ending: 'stall',
  })
  const response = await fetch(server.url, { redirect: 'manual' })
  const request = await server.request(0)
  await request.written
  const errors: unknown[] = []
  const reading = eventStreamBytes('maker', response).subscribe({ error: (error: unknown) => errors.push(error) })
  reading.unsubscribe()
  await request.abandoned
  expect(errors).toEqual([])
})
