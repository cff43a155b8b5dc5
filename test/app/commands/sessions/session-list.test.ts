// Tests `rxpi sessions list`.
import { firstValueFrom, of } from 'rxjs'
import { expect, it } from 'vitest'
import { listSessions } from '../../../../app/commands/sessions/session-list.ts'
import type { ListInvocation, SearchInvocation } from '../../../../app/cli/invocation.ts'
import type { ResultOf } from '../../../../lib/streams/commands/command.ts'
import { fakeWorld } from '../../../support/fake-world.ts'
import type { FakeWorld, FakeWorldOptions } from '../../../support/fake-world.ts'

type List = ResultOf<'list_sessions'>

const now = 1_700_000_000_000
const session = {
  id: 'aaaaaaaaaaaa',
  createdAt: 1,
  updatedAt: now - 3 * 3_600_000,
  size: 1,
  file: '/logs/1.jsonl',
  isLatest: false,
}
const sessions: List['sessions'] = [
  { ...session, isLatest: true, title: 'Build', firstWords: 'Fix it', messages: 12, cwd: '/home/me/work' },
  {
    ...session,
    id: 'bbbbbbbbbbbb',
    parent: { sessionId: session.id, entryId: 'abcdefg2' },
    firstWords: 'Look\u001b[2J',
    messages: 3,
  },
  { ...session, id: 'cccccccccccc', damaged: 'line 2: torn', updatedAt: now },
]
const list = (fields: Partial<List> = {}): List => ({
  sessions,
  total: sessions.length,
  more: false,
  problems: [],
  ...fields,
})

function world(result: List, more: FakeWorldOptions = {}): FakeWorld & { readonly requests: object[] } {
  const requests: object[] = []
  const commands: FakeWorldOptions['commands'] = {
    listSessions: (command) => {
      requests.push(command)
      return of(result)
    },
  }
  return { ...fakeWorld({ commands, ...more }), requests }
}

function run(own: FakeWorld, invocation: Partial<ListInvocation> = {}): Promise<number> {
  const defaults: ListInvocation = { mode: 'sessions', action: 'list', json: false }
  return firstValueFrom(listSessions({ ...defaults, ...invocation }, own.world, now), { defaultValue: -1 })
}

it('prints one line per session of a folder [CLI-sessions]', async () => {
  const own = world(list(), { terminals: ['stdout'] })
  expect(await run(own, { cwd: '/home/me/work' })).toBe(0)
  expect(own.requests).toEqual([{ cwd: '/home/me/work', limit: 10_000, includeEmpty: false }])
  expect(own.stdout.written).toBe(
    [
      'Sessions of ~/work (→ marks the session that "rxpi -c" continues):',
      '→ aaaaaaaaaaaa  3 h ago       12 msg  Build — Fix it',
      '  bbbbbbbbbbbb  3 h ago        3 msg  Look␛[2J  ↳ of aaaaaaaaaaaa',
      '  cccccccccccc  now                   (no prompt)  [damaged: line 2: torn]',
      '',
    ].join('\n'),
  )
})

it('prints the folder of each session with --all, and the number of sessions left out', async () => {
  const own = world(list({ total: 5, more: true }))
  await run(own)
  expect(own.requests).toEqual([{ all: true, limit: 10_000, includeEmpty: false }])
  expect(own.stdout.written).toContain('Build — Fix it  (~/work)\n')
  expect(own.stdout.written).toContain('(no prompt)  (/logs/1.jsonl)  [damaged')
  expect(own.stdout.written).toMatch(/and 2 more\n$/)
})

it('reports an empty list, and files that cannot be read', async () => {
  const own = world(list({ sessions: [], total: 0, problems: ['a link'] }))
  await run(own, { cwd: '/work' })
  expect([own.stdout.written, own.stderr.written]).toEqual(['There are no sessions of /work yet\n', 'rxpi: a link\n'])
})

it('prints one JSON document with --json [CLI-document]', async () => {
  const own = world(list(), { terminals: ['stdout'] })
  await run(own, { json: true })
  expect(own.stdout.written).not.toContain('\u001b')
  expect(JSON.parse(own.stdout.written)).toEqual(list())
})

it('prints the words that a search found, and says where it found none [CLI-sessions]', async () => {
  const [first] = sessions
  const found = world(list({ sessions: [{ ...session, ...first, match: '…the flaky test…' }], total: 1 }))
  const invocation: SearchInvocation = { mode: 'sessions', action: 'search', json: false, text: 'flaky' }
  await firstValueFrom(listSessions(invocation, found.world, now), { defaultValue: -1 })
  expect(found.requests).toEqual([{ all: true, text: 'flaky', limit: 10_000, includeEmpty: false }])
  expect(found.stdout.written).toMatch(
    /^Sessions of all folders with "flaky" .*\n.*Build — Fix it.*\n {4}…the flaky test…\n$/,
  )
  const none = world(list({ sessions: [], total: 0 }))
  await firstValueFrom(listSessions({ ...invocation, cwd: '/home/me/work' }, none.world, now), { defaultValue: -1 })
  expect(none.stdout.written).toBe('No session of ~/work has "flaky"; --all searches all folders\n')
})
