// Tests the page with the whole output of a call, and the hint that names its key.
import { stripVTControlCharacters } from 'node:util'
import { cleanup, render } from '../../../support/ink-screen.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { UiContext } from '../../../../app/ui/hooks/use-ui.ts'
import { Keyboard } from '../../../../app/ui/keys/keyboard.tsx'
import { Pages } from '../../../../app/ui/pages/pages.tsx'
import { createTheme } from '../../../../app/ui/theme/theme.ts'
import { itemLines } from '../../../../app/ui/transcript/item-lines.ts'
import { newToolItem } from '../../../../app/ui/view/view-item.ts'
import type { ToolItem, ViewItem } from '../../../../app/ui/view/view-item.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import { fakeUi } from '../../../support/fake-ui.ts'

afterEach(cleanup)

const call = (id: string, text: string, more: Partial<ToolItem> = {}): ToolItem =>
  newToolItem({
    ...{ id, name: 'bash', block: 'e/0', state: 'done', args: { command: `run ${id}` } },
    content: [{ type: 'text', text }],
    ...more,
  })
const numbers = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n')

function shown(finished: readonly ViewItem[], live: readonly ViewItem[] = []) {
  const view = { ...emptyView(), finished, live, overlay: { name: 'output' } as const }
  const { ui, notices } = fakeUi({ view })
  const drawn = render(
    <UiContext value={ui}>
      <Keyboard>
        <Pages view={view} columns={60} height={8} />
      </Keyboard>
    </UiContext>,
  )
  const text = (): string => stripVTControlCharacters(drawn.lastFrame() ?? '')
  const press = async (key: string): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    drawn.stdin.write(key)
  }
  return { text, press, notices }
}

const [left, right, end] = ['\u001b[D', '\u001b[C', '\u001b[F']

describe('the page of an output', () => {
  it('opens the last call, scrolls, and goes to the calls before and after it [PANEL-output]', async () => {
    const { text, press, notices } = shown([call('a', 'first'), call('b', numbers)])
    expect(text()).toContain('Output · call 2 of 2')
    expect(text()).toContain('✓ bash run b')
    expect(text()).toContain('1–6 of 41')
    await press(end)
    await vi.waitFor(() => expect(text()).toContain('line 39'), 10_000)
    await press(left)
    await vi.waitFor(() => expect(text()).toContain('first'), 10_000)
    await press(left)
    await press(right)
    await vi.waitFor(() => expect(text()).toContain('line 0'), 10_000)
    await press('\u001b')
    await vi.waitFor(() => expect(notices).toEqual([{ type: 'overlay' }]), 10_000)
  })

  it('shows the tail of a running call, the output of an own command, and that there is none', () => {
    expect(shown([], [call('c', '', { state: 'running', tail: 'so far' })]).text()).toContain('so far')
    const own = { kind: 'bash', id: 'j', command: 'ls', output: 'file', isExcluded: false } as const
    expect(shown([own]).text()).toContain('! ls')
    expect(shown([call('d', '')]).text()).toContain('No output')
    expect(shown([]).text()).toContain('No tool has run yet')
  })

  it('shows a whole summary between the calls', async () => {
    const summary = { kind: 'summary', id: 's', title: '2 messages', text: 'one\n\ntwo' } as const
    const { text, press } = shown([summary, call('a', 'first')])
    await press(left)
    await vi.waitFor(() => expect(text()).toContain('Summary · page 1 of 2'), 10_000)
    expect(text()).toContain('── 2 messages')
    expect(text()).toContain('two')
  })

  it('shows control and hidden characters as visible ones [S19a]', () => {
    expect(shown([call('e', '\u001b]52;c;x\u0007\u202e')]).text()).toContain('␛]52;c;x␇<U+202E>')
  })
})

describe('a folded summary', () => {
  it('shows its first lines, what is left, and the advice', () => {
    const look = { columns: 60, theme: createTheme('dark', 'plain'), showsThinking: false, isExpanded: false }
    const text = Array.from({ length: 9 }, (_, index) => `- point ${index}`).join('\n')
    const item = { kind: 'summary', id: 's', title: 'Short', text, hint: 'advice' } as const
    const lines = itemLines(item, { ...look, openKey: 'Alt-O' }).map(stripVTControlCharacters)
    expect(lines[1]).toBe('── Short')
    expect(lines.join('\n')).toContain('… 4 lines more · Alt-O opens')
    expect(lines.at(-1)).toBe('  advice')
    expect(itemLines(item, { ...look, isExpanded: true }).join('\n')).toContain('point 8')
  })
})

describe('a folded output', () => {
  it('names the key that opens it, if a key does [PANEL-output]', () => {
    const look = { columns: 60, theme: createTheme('dark', 'plain'), showsThinking: false, isExpanded: false }
    const text = (openKey?: string): string => itemLines(call('a', numbers), { ...look, openKey }).join('\n')
    expect(text('Alt-O')).toContain('… 35 lines more · Alt-O opens')
    expect(text()).toContain('… 35 lines more\n')
  })
})
