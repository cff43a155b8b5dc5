// Tests the keys of the session picker: rename and delete, after which the list stays open.
import { stripVTControlCharacters } from 'node:util'
import { cleanup, render } from '../../../support/ink-screen.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { UiContext } from '../../../../app/ui/hooks/use-ui.ts'
import { Keyboard } from '../../../../app/ui/keys/keyboard.tsx'
import { Overlays } from '../../../../app/ui/screen/overlays.tsx'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { View } from '../../../../app/ui/view/view.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import { fakeUi } from '../../../support/fake-ui.ts'

afterEach(cleanup)

const listed = (id: string, firstWords: string, more: object = {}) => ({
  ...{ id, firstWords, createdAt: 0, updatedAt: 0, size: 1, file: '/f', isLatest: false, cwd: '/p', messages: 2 },
  ...more,
})
const sessions = [
  listed('aaaaaaaaaaaa', 'Fix the build', { lastWords: 'All mended', title: 'Build' }),
  listed('bbbbbbbbbbbb', 'Write a test', { lastWords: 'Here it is' }),
  listed('cccccccccccc', 'Try another way', { parent: { sessionId: 'bbbbbbbbbbbb', entryId: 'abcdefg2' } }),
]
const base = { list_sessions: { sessions, total: 3, more: false, problems: [] } }

interface Shown {
  readonly columns?: number
  readonly answers?: Readonly<Record<string, unknown>>
  /** The id of the session behind the list. */
  readonly current?: string
}

function shown({ columns = 80, answers = {}, current = 'dddddddddddd' }: Shown = {}) {
  const view: View = {
    ...emptyView(),
    session: { id: current, cwd: '/p', title: '' },
    overlay: { name: 'picker', picker: 'sessions' },
  }
  const { ui, requests, notices } = fakeUi({ view, answers: { ...base, ...answers } })
  const drawn = render(
    <UiContext value={ui}>
      <Keyboard>
        <Overlays view={view} columns={columns} rows={16} />
      </Keyboard>
    </UiContext>,
  )
  const text = (): string => stripVTControlCharacters(drawn.lastFrame() ?? '')
  const until = async (words: string): Promise<void> => {
    await vi.waitFor(() => expect(text()).toContain(words), 10_000)
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve)) // effects of React
  }
  const press = async (keys: string, words: string): Promise<void> => {
    drawn.stdin.write(keys)
    await until(words)
  }
  return { requests, notices, text, until, press }
}

const [down, enter, escape, ctrlR, ctrlD, ctrlF] = ['\u001b[B', '\r', '\u001b', '\u0012', '\u0004', '\u0006']

describe('SessionsPicker', () => {
  it.each([59, 80])(
    'shows the last words in a column and names all its keys in %i cells [FIRST-lists]',
    async (columns) => {
      const { text, until } = shown({ columns })
      await until('› ')
      const [, first = '', second = '', third = ''] = text().split('\n')
      expect(first.indexOf('All mended')).toBe(second.indexOf('Here it is'))
      expect(third).toContain('└ Try another way')
      const search = columns === 80 ? 'Ctrl-F search · ' : ''
      expect(text()).toContain(`Ctrl-R name · Ctrl-D delete · Tab all folders · ${search}Esc closes`)
    },
  )

  it('searches all messages for what no row has, and returns with Esc', async () => {
    const { requests, until, press, text } = shown()
    await until('› ')
    await press('zebra', 'No row matches the filter; Enter searches all messages')
    await press(enter, 'Sessions of this folder with “zebra” (3)')
    expect(requests.at(-1)).toMatchObject({ type: 'list_sessions', text: 'zebra' })
    await press(escape, 'Sessions of this folder (3)')
    expect(requests.at(-1)).not.toHaveProperty('text')
    await press('build', '(1/3): build')
    await press(ctrlF, 'with “build”')
    expect(text()).toContain('Tab all folders')
  })

  it('asks for no empty session [FIRST-lists]', async () => {
    const { requests, until } = shown()
    await until('Build')
    expect(requests).toMatchObject([{ type: 'list_sessions', includeEmpty: false }])
  })

  it('renames with Ctrl-R and returns to the list [FIRST-lists]', async () => {
    const { requests, notices, until, press, text } = shown()
    await until('› ')
    await press(ctrlR, 'The new name of “Build”')
    expect(text()).toContain('› Build') // the old name can be edited
    await press(' two', 'Build two')
    await press(enter, 'Sessions of this folder (3)')
    expect(text()).toMatch(/^› {3}Build two +All mended/m)
    expect(requests.filter(({ type }) => type === 'rename_session')).toEqual([
      { type: 'rename_session', session: 'aaaaaaaaaaaa', title: 'Build two' },
    ])
    expect(notices).toEqual([])
  })

  it('keeps the name at Esc, and the chosen row', async () => {
    const { requests, until, press } = shown()
    await until('› ')
    await press(down, '›   Write a test')
    await press(ctrlR, 'The new name of “Write a test”')
    await press('x', '› x')
    await press(escape, '›   Write a test')
    expect(requests.map(({ type }) => type)).not.toContain('rename_session')
  })

  it('deletes at the second Ctrl-D, and stays at that place of the list [FIRST-lists]', async () => {
    const { requests, notices, until, press, text } = shown()
    await until('› ')
    await press(down, '›   Write a test')
    await press(ctrlD, 'Ctrl-D again deletes for ever: Write a test')
    expect(requests).toHaveLength(1)
    await press(ctrlD, 'Sessions of this folder (2)')
    expect(requests.at(-1)).toEqual({ type: 'delete_session', session: 'bbbbbbbbbbbb' })
    expect(text()).toMatch(/^› {3}Try another way/m)
    expect(notices).toEqual([])
  })

  it('deletes nothing if another key comes between', async () => {
    const { requests, until, press } = shown()
    await until('› ')
    await press(ctrlD, 'Ctrl-D again deletes for ever: Build')
    await press(down, 'Tab all folders')
    await press(`\u001b[A${ctrlD}`, 'Ctrl-D again deletes for ever: Build')
    expect(requests.map(({ type }) => type)).not.toContain('delete_session')
  })

  it('does not delete the session on the screen, and names the way out', async () => {
    const { requests, notices, until, press, text } = shown({ current: 'aaaaaaaaaaaa' })
    await until('› ')
    await press(`${ctrlD}${ctrlD}`, 'Tab all folders')
    expect(notices).toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('/new starts another') as string }),
    )
    expect([text(), requests.map(({ type }) => type)]).toEqual([
      expect.not.stringContaining('again deletes'),
      ['list_sessions'],
    ])
  })

  it('says why a session was not deleted, and keeps its row', async () => {
    const { notices, until, press, text } = shown({
      answers: { delete_session: new Failure('busy', 'Another has it open') },
    })
    await until('› ')
    await press(ctrlD, 'Ctrl-D again')
    await press(ctrlD, 'Tab all folders')
    expect(notices).toContainEqual(expect.objectContaining({ type: 'notice', text: 'Another has it open' }))
    expect(text()).toContain('Build')
  })
})
