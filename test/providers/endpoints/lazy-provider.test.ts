// Tests the lazy provider, which loads its code with the first request.
import { EMPTY, NEVER, of, lastValueFrom } from 'rxjs'
import { expect, it } from 'vitest'
import { lazyProvider } from '../../../lib/providers/endpoints/apis.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { aRequest } from '../offline/a-request.ts'

const start: AssistantDelta = { type: 'start' }

it('loads once, with the first request', async () => {
  let loads = 0
  const provider = lazyProvider(() => {
    loads++
    return Promise.resolve(() => of(start))
  })
  const answer$ = provider(aRequest())
  expect(loads).toBe(0)
  for (let request = 0; request < 3; request++)
    expect(await lastValueFrom(answer$, { defaultValue: undefined })).toBe(start)
  expect(loads).toBe(1)
})

it('loads again after a failed load', async () => {
  let loads = 0
  const provider = lazyProvider(() => (++loads === 1 ? Promise.reject(new Error('no')) : Promise.resolve(() => EMPTY)))
  const answer = (): Promise<unknown> => lastValueFrom(provider(aRequest()), { defaultValue: 'nothing' })
  await expect(answer()).rejects.toThrow('no')
  await expect(answer()).resolves.toBe('nothing')
})

it('sends no request if it is unsubscribed while loading', async () => {
  const loaded = Promise.withResolvers<() => typeof NEVER>()
  let requests = false
  const provider = lazyProvider(() => loaded.promise)
  provider(aRequest()).subscribe().unsubscribe()
  loaded.resolve(() => {
    requests = true
    return NEVER
  })
  await loaded.promise
  expect(requests).toBe(false)
})
