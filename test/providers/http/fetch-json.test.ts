// Tests that `fetchJson` does not use the platform's fetch.
import { firstValueFrom } from 'rxjs'
import { expect, it, vi } from 'vitest'
import { fetchJson } from '../../../lib/providers/http/fetch-json.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'

it('asks without the platform’s fetch, which would load WebAssembly for one short answer', async () => {
  using platform = vi.spyOn(globalThis, 'fetch')
  await using server = await rawSseServer({ body: ['{"data":[]}'] })
  expect(
    await firstValueFrom(fetchJson('/models', { provider: 'p', baseUrl: server.url }), { defaultValue: undefined }),
  ).toEqual({ data: [] })
  expect(platform).not.toHaveBeenCalled()
})
