// Tests `rxpi sessions show`.
import { firstValueFrom, of } from 'rxjs'
import { expect, it } from 'vitest'
import { showSession } from '../../../../app/commands/sessions/session-show.ts'
import type { ShowInvocation } from '../../../../app/cli/invocation.ts'
import type { ResultOf } from '../../../../lib/streams/commands/command.ts'
import { fakeWorld } from '../../../support/fake-world.ts'
import type { FakeWorld, FakeWorldOptions } from '../../../support/fake-world.ts'
import { assistant, sampleEvents, toolResult, user } from '../../../streams/events/samples.ts'

type Entry = ResultOf<'get_entries'>['entries'][number]

const session = 'abcdefghij23'
const workspace = { parentId: null }
const answer = assistant(
  [
    { type: 'thinking', thinking: 'hm' },
    { type: 'text', text: 'Hello' },
    { type: 'toolCall', id: 'call_1', name: 'read', arguments: { path: 'a' } },
  ],
  { errorMessage: 'cut' },
)
const note = { role: 'note', timestamp: 1, content: 'a note' } as never
const ran = { role: 'bashExecution', timestamp: 1, command: 'ls', output: 'a\n', exitCode: 1 } as never
const odd = { role: 'odd', timestamp: 1, data: 7 } as never
const entries: Entry[] = [
  {
    ...workspace,
    entryId: 'aaaaaaaa',
    seq: 1,
    message: user([
      { type: 'text', text: 'Hi\u001b[2J' },
      { type: 'image', mimeType: 'image/png', data: '' },
    ]),
  },
  { ...workspace, entryId: 'bbbbbbbb', seq: 2, message: answer },
  { ...workspace, entryId: 'cccccccc', seq: 3, message: toolResult({ isError: true }) },
  { ...workspace, entryId: 'dddddddd', seq: 4, message: note },
  { ...workspace, entryId: 'eeeeeeee', seq: 5, message: ran },
  { ...workspace, entryId: 'ffffffff', seq: 6, message: odd },
]

/** Returns one entry per page. */
function world(more: FakeWorldOptions = {}): FakeWorld & { readonly requests: object[] } {
  const requests: object[] = []
  const commands: FakeWorldOptions['commands'] = {
    getEntries: (command) => {
      requests.push(command)
      const [entry] = entries.filter(({ seq }) => seq > (command.after ?? 0))
      const found = entry === undefined ? [] : [entry]
      return of({ entries: found, head: 6, headEntryId: 'ffffffff', more: (entry?.seq ?? 6) < 6 })
    },
  }
  return { ...fakeWorld({ commands, ...more }), requests }
}
function run(own: FakeWorld, more: Partial<ShowInvocation> = {}): Promise<number> {
  const shown$ = showSession(
    { mode: 'sessions', action: 'show', target: { session }, json: false, ...more },
    own.world,
    1,
  )
  return firstValueFrom(shown$, { defaultValue: -1 })
}

it('prints every message with speaker, age and id [CLI-sessions]', async () => {
  const own = world({ terminals: ['stdout'] })
  expect(await run(own)).toBe(0)
  expect(own.stdout.written).toBe(
    [
      '── you · now · aaaaaaaa',
      'Hi␛[2J',
      '[image: image/png]',
      '',
      '── provider/model · now · bbbbbbbb',
      '[thinking] hm',
      'Hello',
      '→ read {"path":"a"}',
      '[cut]',
      '',
      '── read failed · now · cccccccc',
      'done',
      '',
      '── note · now · dddddddd',
      'a note',
      '',
      '── bashExecution · now · eeeeeeee',
      '$ ls',
      'a',
      '[exit code 1]',
      '',
      '── odd · now · ffffffff',
      '{"role":"odd","timestamp":1,"data":7}',
      '',
      '',
    ].join('\n'),
  )
})

it('requests the branch of the head or of an entry [CLI-sessions]', async () => {
  const own = world()
  await run(own, { entryId: 'cccccccc' })
  expect(own.requests[0]).toEqual({ session, after: 0, branch: 'cccccccc', limit: 1_000 })
  await run(own)
  expect(own.requests.at(-1)).toEqual({ session, after: 5, branch: 'head', limit: 1_000 })
})

it('prints one JSON document with --json [CLI-document]', async () => {
  const own = world()
  await run(own, { json: true })
  expect(JSON.parse(own.stdout.written)).toEqual({ session, entries: JSON.parse(JSON.stringify(entries)) as unknown })
})

it('reports an empty conversation', async () => {
  const commands: FakeWorldOptions['commands'] = {
    getEntries: () => of({ entries: [], head: 6, headEntryId: null, more: false }),
  }
  const own = { ...fakeWorld({ commands }), requests: [] }
  expect(await run(own)).toBe(0)
  expect([own.stdout.written, own.stderr.written]).toEqual([
    '',
    'rxpi: the conversation is empty: its head is before the first entry\n',
  ])
})

it('marks a long output of which it prints only the beginning', async () => {
  const long = toolResult({ content: [{ type: 'text', text: 'first', blob: 'a'.repeat(64), bytes: 70_000 }] })
  const entry = { ...workspace, entryId: 'aaaaaaaa', seq: 1, message: long }
  const commands: FakeWorldOptions['commands'] = {
    getEntries: () => of({ entries: [entry], head: 1, headEntryId: 'aaaaaaaa', more: false }),
  }
  const own = { ...fakeWorld({ commands }), requests: [] }
  await run(own)
  expect(own.stdout.written).toContain('first\n[the beginning of 70000 bytes]\n')
})

it('prints of a command what was typed', async () => {
  const message = { ...user('The text of a skill'), invocation: { kind: 'skill', name: 'skill:pdf', args: 'form.pdf' } }
  const entry = { ...workspace, entryId: 'aaaaaaaa', seq: 1, message }
  const commands: FakeWorldOptions['commands'] = {
    getEntries: () => of({ entries: [entry], head: 1, headEntryId: 'aaaaaaaa', more: false }),
  }
  const own = { ...fakeWorld({ commands }), requests: [] }
  await run(own)
  expect(own.stdout.written).toBe('── you · now · aaaaaaaa\n/skill:pdf form.pdf\n\n')
})

it('prints summaries in their places', async () => {
  const event = {
    ...sampleEvents.compaction,
    ...{ entryId: 'ssssssss', reason: 'manual', messages: 2, summary: 'So far' },
  }
  const entry = { ...workspace, entryId: 'aaaaaaaa', seq: 9, message: user('Hi') }
  const summaries = [{ seq: 8, at: 1, event }]
  const commands: FakeWorldOptions['commands'] = {
    getEntries: () => of({ entries: [entry], summaries, head: 9, headEntryId: 'aaaaaaaa', more: false }),
  }
  const own = { ...fakeWorld({ commands }), requests: [] }
  await run(own)
  expect(own.stdout.written).toMatch(/^── 2 messages were summarised · .* · now · ssssssss\nSo far\n\n── you/)
  const json = { ...fakeWorld({ commands }), requests: [] }
  await run(json, { json: true })
  expect(JSON.parse(json.stdout.written)).toMatchObject({ summaries: [{ seq: 8 }] })
})
