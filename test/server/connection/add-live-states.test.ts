// Tests that `list_sessions` marks which open sessions run and which wait for a user's answer.
import { expect, it } from 'vitest'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { addLiveStates } from '../../../lib/server/connection/dispatch.ts'
import { fakeSession } from '../../support/fake-session.ts'

const row = (id: string): ResultOf<'list_sessions'>['sessions'][number] => ({
  id,
  createdAt: 1,
  updatedAt: 2,
  size: 3,
  file: `/${id}.jsonl`,
  isLatest: false,
})

it('marks the sessions that are open on this server, and no others', () => {
  const [idle, busy] = [fakeSession({ id: 'aaaaaaaaaaaa' }), fakeSession({ id: 'bbbbbbbbbbbb' })]
  busy.record({ type: 'agent_start', model: 'a/b', tools: [], thinkingLevel: 'off' }, { runId: 'rrrrrrrr' })
  busy.record({ type: 'ui_request', requestId: 'q'.repeat(26), kind: 'confirm', source: 'core', text: 'Really?' })
  const sessions = [row('aaaaaaaaaaaa'), row('bbbbbbbbbbbb'), row('cccccccccccc')]
  const listed = addLiveStates({ sessions, total: 3, more: false, problems: [] }, [
    { session: idle },
    { session: busy },
  ])
  expect(listed.sessions.map(({ live }) => live)).toEqual([
    { running: false, asking: 0 },
    { running: true, asking: 1 },
    undefined,
  ])
})
