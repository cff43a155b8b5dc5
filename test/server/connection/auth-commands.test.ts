// Tests that key commands reach the backend complete, and no response or error repeats a key.
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { embedServer } from '../../../lib/server/machine-server.ts'
import type { FakeCommands } from '../../support/fake-backend.ts'
import type { Command, CommandNamed } from '../../../lib/streams/commands/command.ts'
import { fakeBackend } from '../../support/fake-backend.ts'
import { resultOf } from '../../support/result-of.ts'

const workspace = { cwd: '/here', env: { HOME: '/home/me' } }
const key = 'sk-planted-0123456789'

/** A client of a backend that records the requests it receives. */
function client() {
  const requests: object[] = []
  const commands: FakeCommands = {
    authSet: (command) => {
      requests.push(command)
      return of({ keyId: 'abcdefg2', kept: 'file', origin: 'https://api.openai.com', notices: [] })
    },
    authRemove: (command) => {
      requests.push(command)
      return of({ removed: 2 })
    },
    authVerify: (command) => {
      requests.push(command)
      return of({ outcome: 'valid', message: 'openai accepts the key.' })
    },
  }
  return { sentRequests: requests, client: embedServer({ host: fakeBackend({ commands }), version: '1' }).client }
}

describe('the commands about keys', () => {
  it('reach the backend with their fields', async () => {
    const { sentRequests: requests, client: own } = client()
    const set: CommandNamed<'auth_set'> = { type: 'auth_set', ...workspace, provider: 'openai', key, add: true }
    expect(await resultOf(own.request(set))).toMatchObject({ keyId: 'abcdefg2' })
    const remove = { type: 'auth_remove', ...workspace, provider: 'openai', keyId: 'abcdefg2' } as const
    expect(await resultOf(own.request(remove))).toEqual({ removed: 2 })
    expect(await resultOf(own.request({ type: 'auth_verify', ...workspace, provider: 'openai', key }))).toMatchObject({
      outcome: 'valid',
    })
    expect(requests).toMatchObject([
      { ...workspace, provider: 'openai', key, add: true },
      { ...workspace, provider: 'openai', keyId: 'abcdefg2' },
      { ...workspace, provider: 'openai', key },
    ])
    own.close()
  })

  it.each<[string, object]>([
    ['a key that is too long', { ...workspace, provider: 'openai', key: key.repeat(1_000) }],
    ['no provider', { ...workspace, key }],
    ['a provider that is no string', { ...workspace, provider: [key], key }],
    ['an invalid environment', { cwd: '/', env: { OPENAI_API_KEY: [key] }, provider: 'openai', key }],
  ])('refuse %s without repeating it [COMMAND-auth]', async (_, fields) => {
    const { sentRequests: requests, client: own } = client()
    const command: unknown = { type: 'auth_set', ...fields }
    const refused = resultOf(own.request(command as Command & { type: 'auth_set' }))
    await expect(refused).rejects.toMatchObject({ code: 'bad_request' })
    await expect(refused).rejects.not.toThrow('planted')
    expect(requests).toEqual([])
    own.close()
  })
})
