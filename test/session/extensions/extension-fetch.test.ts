// Tests the hooks around the requests to models: what they get, what they change, and that no credential passes.
/* eslint-disable rxjs-x/no-ignored-default-value -- a test fails if nothing is emitted */
import { firstValueFrom, toArray, EMPTY } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { extensionSet } from '../../../lib/extensions/index.ts'
import type { ExtensionApi, ModelRequestInput, ModelResponseInput } from '../../../lib/extensions/index.ts'
import { extensionFetch } from '../../../lib/session/extensions/extension-fetch.ts'

async function fetchWith(
  setup: (api: ExtensionApi) => void,
  address: string | URL = 'https://example.test/v1/chat?key=secret',
  headers: Readonly<Record<string, string>> = { Authorization: 'Bearer secret', 'X-Own': '1', 'x-gone': '2' },
) {
  const set = extensionSet({ host: { id: 's', cwd: '/', env: {}, ownTools: [] } })
  await firstValueFrom(set.load({ name: 'probe', version: '1.0.0', setup }).pipe(toArray()))
  const sent: RequestInit[] = []
  const fetch = extensionFetch(
    (_, init) => {
      sent.push(init ?? {})
      return Promise.resolve(
        new Response('ok', { status: 201, headers: { 'x-request-id': 'r1', 'set-cookie': 'session=secret' } }),
      )
    },
    () => set,
  )
  const body = JSON.stringify({ model: 'm', temperature: 1 })
  const response = await fetch(address, { method: 'POST', headers, body })
  return { response, init: sent[0] ?? {} }
}

describe('the hooks of a request', () => {
  it('get the payload and the headers without credentials, and change them', async () => {
    const inputs: ModelRequestInput[] = []
    const answers: ModelResponseInput[] = []
    const { response, init } = await fetchWith(({ hooks }) => {
      hooks.on('before_request', (input) => {
        inputs.push(input)
        return {
          headers: { 'x-added': 'yes', 'x-gone': null, authorization: 'Bearer other' },
          payload: { ...(input.payload as object), temperature: 0 },
        }
      })
      hooks.on('after_response', (answer) => void answers.push(answer))
    })
    const payload = { model: 'm', temperature: 1 }
    const headers = { 'x-own': '1', 'x-gone': '2' }
    expect(inputs).toEqual([{ url: 'https://example.test/v1/chat', headers, payload }])
    expect(Object.fromEntries(new Headers(init.headers))).toEqual({
      authorization: 'Bearer secret',
      'x-own': '1',
      'x-added': 'yes',
    })
    expect(JSON.parse(init.body as string)).toEqual({ model: 'm', temperature: 0 })
    expect(response.status).toBe(201)
    expect(answers).toEqual([
      {
        url: 'https://example.test/v1/chat',
        status: 201,
        headers: expect.objectContaining({ 'x-request-id': 'r1' }) as unknown,
      },
    ])
  })

  it.each([
    'Authorization',
    'X-Api-Key',
    'X-Goog-Api-Key',
    'X-Amz-Security-Token',
    'cf-aig-authorization',
    'Helicone-Auth',
    'x-portkey-api-key',
  ])('do not get the header %s of a request, and cannot set it', async (name) => {
    const names: string[] = []
    const { init } = await fetchWith(
      ({ hooks }) => {
        hooks.on('before_request', (input) => {
          names.push(...Object.keys(input.headers))
          return { headers: { [name]: 'other' } }
        })
      },
      undefined,
      { [name]: 'secret', 'x-own': '1' },
    )
    expect(names).toEqual(['x-own'])
    expect(new Headers(init.headers).get(name)).toBe('secret')
  })

  it('do not get the cookies of a response', async () => {
    const answers: ModelResponseInput[] = []
    await fetchWith(({ hooks }) => {
      hooks.on('after_response', (answer) => void answers.push(answer))
    })
    expect(Object.keys(answers[0]?.headers ?? {})).toEqual(['content-type', 'x-request-id'])
  })

  it('are called for the address that the adapters pass', async () => {
    const urls: string[] = []
    const { init } = await fetchWith(({ hooks }) => {
      hooks.on('before_request', ({ url }) => {
        urls.push(url)
        return { headers: { 'x-added': 'yes' } }
      })
    }, new URL('https://example.test/v1/messages?key=secret'))
    expect(urls).toEqual(['https://example.test/v1/messages'])
    expect(new Headers(init.headers).get('x-added')).toBe('yes')
  })

  it('that fail leave the request as it is', async () => {
    const { init } = await fetchWith(({ hooks }) => {
      hooks.on('before_request', () => {
        throw new Error('broken')
      })
      hooks.on('after_response', () => EMPTY)
    })
    expect(JSON.parse(init.body as string)).toEqual({ model: 'm', temperature: 1 })
  })
})
