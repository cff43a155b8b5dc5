// Tests `rxpi sessions tree`.
import { firstValueFrom, of } from 'rxjs'
import { expect, it } from 'vitest'
import { cpuMs } from '../../../support/cpu-time.ts'
import { printTree } from '../../../../app/commands/sessions/session-tree.ts'
import type { TreeInvocation } from '../../../../app/cli/invocation.ts'
import type { ResultOf } from '../../../../lib/streams/commands/command.ts'
import { fakeWorld } from '../../../support/fake-world.ts'
import type { FakeWorld, FakeWorldOptions } from '../../../support/fake-world.ts'

const now = 1_700_000_000_000
const session = 'abcdefghij23'
const node = { parentId: null, role: 'user', at: now, seq: 1, isHead: false, isOnBranch: true }
const tree: ResultOf<'get_tree'> = {
  header: {
    type: 'session',
    v: 1,
    id: session,
    createdAt: 1,
    cwd: '/work',
    parent: { sessionId: 'bbbbbbbbbbbb', entryId: 'bbbbbbbb' },
  },
  title: 'Build\u001b[2J',
  headEntryId: 'cccccccc',
  entries: [
    { ...node, entryId: 'aaaaaaaa', firstWords: 'one', label: 'two\nlines' },
    { ...node, entryId: 'bbbbbbbb', parentId: 'aaaaaaaa', seq: 2, firstWords: 'left', isOnBranch: false },
    { ...node, entryId: 'cccccccc', parentId: 'aaaaaaaa', seq: 3, firstWords: 'three', isHead: true },
  ],
  children: [],
}
const head = (title: string) =>
  `Session ${session}: ${title} (/work)\nIt begins at entry bbbbbbbb of session bbbbbbbbbbbb\n`

function world(result = tree, more: FakeWorldOptions = {}): FakeWorld {
  return fakeWorld({ commands: { getTree: () => of(result) }, ...more })
}
function run(own: FakeWorld, json = false, target: TreeInvocation['target'] = { session }): Promise<number> {
  const shown$ = printTree({ mode: 'sessions', action: 'tree', target, json }, own.world, now)
  return firstValueFrom(shown$, { defaultValue: -1 })
}

it('prints one plain line per entry if stdout is not a terminal [CLI-sessions]', async () => {
  const own = world()
  expect(await run(own)).toBe(0)
  expect(own.stdout.written).toBe(
    [
      `${head('Build\u001b[2J')}aaaaaaaa  now         ● you: one  [two lines]`,
      'bbbbbbbb  now         ├─○ you: left',
      'cccccccc  now         ◉ you: three  ← head',
      '',
    ].join('\n'),
  )
})

it('prints the file name as title for a file', async () => {
  const own = world()
  await run(own, false, { file: '/talk.jsonl' })
  expect(own.stdout.written).toMatch(/^\/talk\.jsonl: Build/)
})

it('dims other branches on a terminal, and escapes control characters [S19a]', async () => {
  const own = world(tree, { terminals: ['stdout'], colours: true })
  await run(own)
  expect(own.stdout.written).toContain(head('Build␛[2J'))
  expect(own.stdout.written).toContain('\u001b[2mbbbbbbbb  now         ├─○ you: left\n\u001b[22m')
})

it('prints no colours with NO_COLOR [CLI-colours]', async () => {
  const own = world(tree, { terminals: ['stdout'], colours: false })
  await run(own)
  expect(own.stdout.written).not.toContain('\u001b')
})

it('reports a session without entries', async () => {
  const {
    header: { parent, ...header },
  } = tree
  const own = world({ header, headEntryId: null, entries: [], children: [] })
  await run(own)
  expect(own.stdout.written).toBe(`Session ${session} (/work)\nThere are no entries yet\n`)
})

it('prints one JSON document with --json [CLI-document]', async () => {
  const own = world()
  await run(own, true)
  expect(JSON.parse(own.stdout.written)).toEqual(tree)
})

it('prints 10,000 entries without delay', async () => {
  const entries = Array.from({ length: 10_000 }, (_, index) => ({
    ...node,
    entryId: `a${index}`,
    parentId: index === 0 ? null : `a${index - 1}`,
    seq: index,
    firstWords: 'words',
    isOnBranch: index % 2 === 0,
  }))
  const own = world({ ...tree, entries })
  const began = cpuMs()
  await run(own)
  expect(own.stdout.written.split('\n')).toHaveLength(10_003)
  expect(cpuMs() - began).toBeLessThan(2_000)
})
