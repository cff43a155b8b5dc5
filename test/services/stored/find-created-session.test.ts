// Tests how the session of an earlier command is found by its opId.
import { describe, expect, it } from 'vitest'
import { commandDigest, findCreatedSession } from '../../../lib/services/stored/find-created-session.ts'
import type { FileStore } from '../../../lib/store/index.ts'
import type { SessionHeader } from '../../../lib/streams/log/log-line.ts'

const command = { cwd: '/here', model: 'x/y', limits: { turns: 3, usd: 1 }, env: { A: '1' } }

function files(more: Partial<SessionHeader>): FileStore {
  const header: SessionHeader = { type: 'session', v: 1, id: 'aaaaaaaaaaaa', createdAt: 1, cwd: '/here', ...more }
  const store: Pick<FileStore, 'madeBy'> = { madeBy: () => header }
  return store as FileStore
}

describe('a session that an earlier command created', () => {
  it.each([
    ['with another environment', { ...command, env: { A: '2' } }],
    [
      'with other MCP servers of the client',
      { ...command, mcpServers: { files: { command: 'x', env: { KEY: 'k' } } } },
    ],
    ['with its fields in another order', { limits: { usd: 1, turns: 3 }, model: 'x/y', cwd: '/here' }],
  ])('is found by the same command %s', (_, again) => {
    expect(findCreatedSession(files({ opBody: commandDigest(command) }), again, 'once')).toBe('aaaaaaaaaaaa')
  })

  it.each([
    ['another model', { ...command, model: 'x/z' }],
    ['another limit', { ...command, limits: { turns: 4, usd: 1 } }],
    ['a field more', { ...command, thinkingLevel: 'high' as const }],
  ])('is refused for a command with %s [S5d]', (_, other) => {
    const opBody = commandDigest(command)
    expect(() => findCreatedSession(files({ opBody }), other, 'once')).toThrow(
      /"once" was already used for another new_session/,
    )
  })

  it('is compared by folder and title if its log has no digest', () => {
    expect(findCreatedSession(files({}), command, 'once')).toBe('aaaaaaaaaaaa')
    expect(() => findCreatedSession(files({ title: 'other' }), command, 'once')).toThrow('once')
  })
})
