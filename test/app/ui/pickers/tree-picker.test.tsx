// Tests the tree and tool pickers.
// An entry becomes the head, files are restored only after a yes, and tools are switched.
import { stripVTControlCharacters } from 'node:util'
import { cleanup, render } from '../../../support/ink-screen.ts'
import { Subject } from 'rxjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { UiContext } from '../../../../app/ui/hooks/use-ui.ts'
import { Keyboard } from '../../../../app/ui/keys/keyboard.tsx'
import { Overlays } from '../../../../app/ui/screen/overlays.tsx'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { View } from '../../../../app/ui/view/view.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import { fakeUi } from '../../../support/fake-ui.ts'

afterEach(cleanup)

const session = 'abcdefghij23'
const node = { parentId: null, at: 0, seq: 4, isHead: false, isOnBranch: true }
const tree = {
  header: { type: 'session', v: 1, id: session, createdAt: 1, cwd: '/p' },
  headEntryId: 'bbbbbbbb',
  entries: [
    { ...node, entryId: 'aaaaaaaa', role: 'user', firstWords: 'Fix it' },
    { ...node, entryId: 'bbbbbbbb', parentId: 'aaaaaaaa', role: 'assistant', firstWords: 'Done', seq: 6, isHead: true },
  ],
  children: [],
}
const answers: Readonly<Record<string, object>> = {
  get_tree: tree,
  branch_session: { headEntryId: 'aaaaaaaa', changes: [{ path: 'a.txt', change: 'replace' }], conflicts: [], kept: [] },
  list_tools: { tools: [{ name: 'read', description: 'Reads', capability: 'read', active: true }] },
  set_active_tools: {},
  get_entries: {
    entries: [{ message: { role: 'user', content: 'Fix it, please', timestamp: 1 } }],
    head: 6,
    more: false,
  },
}

/** Resolves after React's effects have run: a new component then receives keys. */
async function heard(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

function shown(picker: string, own: Readonly<Record<string, object>> = {}) {
  const view: View = {
    ...emptyView(),
    session: { id: session, cwd: '/p', title: '' },
    overlay: { name: 'picker', picker },
  }
  const { ui, requests, notices: inputs, opened } = fakeUi({ view, answers: { ...answers, ...own } })
  const drawn = render(
    <UiContext value={ui}>
      <Keyboard>
        <Overlays view={view} columns={70} rows={16} />
      </Keyboard>
    </UiContext>,
  )
  const frame = (): string => drawn.lastFrame() ?? ''
  const text = (): string => stripVTControlCharacters(frame())
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      await heard()
      const before = [text(), requests.length, inputs.length]
      await listening()
      drawn.stdin.write(key)
      await vi.waitFor(() => expect([text(), requests.length, inputs.length]).not.toEqual(before), 10_000)
    }
  }
  const write = (piece: string): void => {
    drawn.stdin.write(piece)
  }
  return { requests, inputs, opened, frame, text, press, write }
}

/** Resolves when a newly drawn component receives keys: React needs a few turns of the event loop. */
async function listening(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const [up, down, enter] = ['\u001b[A', '\u001b[B', '\r']

describe('TreePicker', () => {
  it('starts at the head, and continues from another entry', async () => {
    const { requests, text, press, inputs } = shown('tree')
    await vi.waitFor(() => expect(text()).toContain('› ◉ model: Done'), 10_000)
    await press(up, enter, down, enter)
    expect(requests.at(-1)).toEqual({ type: 'branch_session', session, entryId: 'aaaaaaaa' })
    expect(inputs).toEqual([{ type: 'overlay' }])
  })

  it('edits a prompt again: moves the head before it and puts its text into the editor', async () => {
    const { requests, press, inputs, text } = shown('tree')
    await vi.waitFor(() => expect(text()).toContain('Tree (2)'), 10_000)
    await press(up, enter, enter)
    expect(requests.find(({ type }) => type === 'branch_session')).toMatchObject({ entryId: null })
    expect(inputs).toContainEqual({ type: 'draft', text: 'Fix it, please' })
  })

  it('lists the files first, and restores them only after a yes', async () => {
    const { requests, press, text } = shown('tree')
    await vi.waitFor(() => expect(text()).toContain('Tree (2)'), 10_000)
    await press(up, enter, down, down, enter)
    await vi.waitFor(() => expect(text()).toContain('› No, change nothing'), 10_000)
    expect(requests.at(-1)).toMatchObject({ restoreFiles: true, dryRun: true })
    expect(text()).toContain('Yes: restore a.txt')
    await press(down, down, enter)
    expect(requests.at(-1)).toEqual({ type: 'branch_session', session, entryId: 'aaaaaaaa', restoreFiles: true })
  })

  it('escapes the words of the entry above its actions [S19a]', async () => {
    const firstWords = '\u001b]8;;http://bad.example\u0007Done\u001b]8;;\u0007 \u001b[8mhidden'
    const { frame, text, press } = shown('tree', {
      get_tree: { ...tree, entries: [{ ...tree.entries[0], firstWords }] },
    })
    await vi.waitFor(() => expect(text()).toContain('Tree (1)'), 10_000)
    await press(enter)
    await vi.waitFor(() => expect(text()).toContain('Edit and ask again'), 10_000)
    expect(text()).toContain('user: ␛]8;;http://bad.example␇Done␛]8;;␇ ␛[8mhidden')
    expect(frame()).not.toMatch(/\u001b\]|\u001b\[8m/)
  })

  it('shows that the branch is being summarised', async () => {
    const { requests, press, text, inputs } = shown('tree')
    await vi.waitFor(() => expect(text()).toContain('Tree (2)'), 10_000)
    await press(up, enter, 's', 'u', 'm', enter)
    expect(requests.at(-1)).toEqual({ type: 'branch_session', session, entryId: 'aaaaaaaa', summarise: true })
    expect(inputs).toEqual([expect.objectContaining({ type: 'notice', level: 'info' }), { type: 'overlay' }])
  })

  it('handles the keys of one chunk through all its steps', async () => {
    const { requests, text, write } = shown('tree')
    await vi.waitFor(() => expect(text()).toContain('Tree (2)'), 10_000)
    write(`${up}${enter}${down.repeat(2)}${enter}${down.repeat(2)}${enter}`)
    await vi.waitFor(() => expect(requests.at(-1)).toMatchObject({ restoreFiles: true }), 10_000)
    await vi.waitFor(() => expect(requests.at(-1)).not.toHaveProperty('dryRun'), 10_000)
  })

  it('handles keys that arrive before its rows', async () => {
    const rows$ = new Subject<object>()
    const { requests, text, write } = shown('tree', { get_tree: rows$ })
    await vi.waitFor(() => expect(text()).toContain('Tree …'), 10_000)
    write('Fix')
    write(enter)
    rows$.next(tree)
    await vi.waitFor(() => expect(text()).toContain('Edit and ask again'), 10_000)
    expect(requests).toHaveLength(1)
  })

  it('pins and hides an entry, and stays open', async () => {
    const { requests, press, text } = shown('tree')
    await vi.waitFor(() => expect(text()).toContain('Alt-P pins · Alt-H hides'), 10_000)
    await press('\u001bp')
    expect(requests.at(-1)).toEqual({ type: 'context_pin', session, entryId: 'bbbbbbbb', pinned: true })
    await vi.waitFor(() => expect(text()).toContain('model: Done  (pinned)'), 10_000)
    await press('\u001bh')
    expect(requests.at(-1)).toEqual({ type: 'context_edit', session, entryId: 'bbbbbbbb', hide: true })
    await vi.waitFor(() => expect(text()).toContain('(pinned, hidden)'), 10_000)
    await press('\u001bh')
    expect(requests.at(-1)).toEqual({ type: 'context_edit', session, entryId: 'bbbbbbbb' })
  })

  it('reads an entry whole', async () => {
    const entry = { entryId: 'bbbbbbbb', seq: 6, message: { role: 'user', content: 'All\nof it', timestamp: 1 } }
    const { requests, press, inputs, text } = shown('tree', { get_entries: { entries: [entry], head: 6, more: false } })
    await vi.waitFor(() => expect(text()).toContain('Tree (2)'), 10_000)
    await press(enter, 'R', 'e', 'a', 'd', enter)
    expect(requests.at(-1)).toEqual({ type: 'get_entries', session, branch: 'bbbbbbbb', before: 7, limit: 1 })
    expect(JSON.stringify(inputs.at(-1))).toContain('of it')
  })

  it('shows a failure of an action', async () => {
    const busy = new Failure('busy', 'A run is active in this session')
    const { press, inputs, text } = shown('tree', { branch_session: busy })
    await vi.waitFor(() => expect(text()).toContain('Tree (2)'), 10_000)
    await press(up, enter, down, enter)
    expect(inputs).toContainEqual(expect.objectContaining({ type: 'notice', level: 'error', text: busy.message }))
  })

  it('shows a failure to load the tree, until Esc', async () => {
    const { inputs, press, text } = shown('tree', { get_tree: new Failure('busy', 'Not now') })
    await vi.waitFor(() => expect(text()).toContain('Tree: Not now (Esc closes)'), 10_000)
    await press('\u001b')
    expect(inputs).toEqual([{ type: 'overlay' }])
  })

  it('copies a branch into a new session and opens it', async () => {
    const copy = { session: 'abcdefghij33' }
    const { requests, inputs, opened, press, text } = shown('tree', { branch_session: copy, open_session: copy })
    await vi.waitFor(() => expect(text()).toContain('Tree (2)'), 10_000)
    await press(up, enter, 'n', 'e', 'w', enter)
    expect(requests.at(-2)).toEqual({ type: 'branch_session', session, entryId: 'aaaaaaaa', newFile: true })
    expect(requests.at(-1)).toMatchObject({ type: 'open_session', ...copy })
    expect([inputs, opened]).toEqual([[{ type: 'overlay' }], [copy]])
  })
})

it('ToolsPicker switches a tool off and stays open', async () => {
  const { requests, press, text, inputs } = shown('tools')
  await vi.waitFor(() => expect(text()).toContain('› ● read'), 10_000)
  await press(enter)
  expect(requests.find(({ type }) => type === 'set_active_tools')).toMatchObject({ tools: [] })
  expect(inputs).toEqual([])
})
