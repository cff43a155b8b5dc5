// Tests the picker of extensions: its rows, its decisions, and keys that come too early.
import { stripVTControlCharacters } from 'node:util'
import { cleanup, render } from '../../../support/ink-screen.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { UiContext } from '../../../../app/ui/hooks/use-ui.ts'
import { Keyboard } from '../../../../app/ui/keys/keyboard.tsx'
import { decisionRows, extensionRows } from '../../../../app/ui/pickers/extensions-picker.tsx'
import { Overlays } from '../../../../app/ui/screen/overlays.tsx'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { ExtensionRow } from '../../../../lib/streams/commands/extension-commands.ts'
import { fakeUi } from '../../../support/fake-ui.ts'

afterEach(cleanup)

const digest = 'd'.repeat(64)
const row: ExtensionRow = { id: 'user:/x/checksum', name: 'checksum', origin: 'user', root: '/x/checksum', entry: '/x/checksum/index.ts', digest, state: 'pending' } // prettier-ignore
const list = { extensions: [row], problems: [{ path: '/x/bad', message: 'it has no index.ts' }] }
const [enter, down, escape] = ['\r', '\u001b[B', '\u001b']

function shown() {
  const overlay = { name: 'picker', picker: 'extensions' } as const
  const decided = { extensions: [{ ...row, state: 'trusted' }] }
  const { ui, requests, notices } = fakeUi({
    view: { ...emptyView(), overlay },
    answers: { extension_list: list, extension_trust: decided, extension_kill: decided },
  })
  const drawn = render(
    <UiContext value={ui}>
      <Keyboard>
        <Overlays view={ui.now()} columns={120} rows={12} />
      </Keyboard>
    </UiContext>,
  )
  const text = (): string => stripVTControlCharacters(drawn.lastFrame() ?? '')
  const press = async (key: string): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    drawn.stdin.write(key)
  }
  return { requests, notices, text, press }
}

describe('the rows', () => {
  it('show state and place of each, and what is wrong', () => {
    expect(extensionRows(list).map(({ mark, label, second }) => [mark, label, second])).toEqual([
      ['○', 'checksum', 'pending'],
      ['!', '/x/bad: it has no index.ts', undefined],
    ])
  })

  it.each([
    [{ state: 'pending' as const }, ['back', 'trust', 'acknowledge', 'kill']],
    [{ state: 'pending' as const, changed: true }, ['back', 'trust', 'acknowledge', 'kill']],
    [{ state: 'trusted' as const }, ['back', 'acknowledge', 'kill', 'pending']],
    [{ state: 'acknowledged' as const }, ['back', 'trust', 'kill', 'pending']],
    [{ state: 'killed' as const }, ['back', 'trust', 'acknowledge', 'pending']],
  ])('offer what changes something, the harmless one first: %o', (fields, keys) => {
    expect(decisionRows({ ...row, ...fields }).map(({ key }) => key)).toEqual(keys)
  })
})

describe('the picker of extensions', () => {
  it('sends the digest that was shown, and lists anew; early keys decide nothing [S20c]', async () => {
    const { requests, notices, text, press } = shown()
    await vi.waitFor(() => expect(text()).toContain('› ○ checksum'), 10_000)
    await press(enter)
    await vi.waitFor(() => expect(text()).toContain('› Leave it so'), 10_000)
    await press(down)
    await vi.waitFor(() => expect(text()).toContain('› Trust exactly this content'), 10_000)
    await press(enter)
    await new Promise((resolve) => setTimeout(resolve, 350))
    expect(requests.map(({ type }) => type)).toEqual(['extension_list'])
    await press(enter)
    await vi.waitFor(() => expect(requests.map(({ type }) => type)).toEqual(['extension_list', 'extension_trust', 'extension_list']), 10_000) // prettier-ignore
    expect(requests[1]).toMatchObject({ extension: row.id, answer: 'trust', digest, cwd: '/project' })
    expect(notices).toContainEqual({ type: 'notice', level: 'info', text: 'checksum is trusted' })
  })

  it('goes back to the list with Esc, and closes there', async () => {
    const { notices, text, press } = shown()
    await vi.waitFor(() => expect(text()).toContain('› ○ checksum'), 10_000)
    await press(enter)
    await vi.waitFor(() => expect(text()).toContain('› Leave it so'), 10_000)
    await press(escape)
    await vi.waitFor(() => expect(text()).toContain('› ○ checksum'), 10_000)
    await press(escape)
    await vi.waitFor(() => expect(notices).toContainEqual({ type: 'overlay' }), 10_000)
  })
})
