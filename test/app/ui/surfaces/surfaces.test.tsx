// Tests surfaces on the screen: where they stand, who gets the keys, and the way out.
import { cleanup, render } from '../../../support/ink-screen.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { stripVTControlCharacters } from 'node:util'
import { SessionComposer } from '../../../../app/ui/composer/session-composer.tsx'
import { UiContext } from '../../../../app/ui/hooks/use-ui.ts'
import { Keyboard } from '../../../../app/ui/keys/keyboard.tsx'
import { layOut } from '../../../../app/ui/screen/screen-layout.ts'
import { surfaceRows } from '../../../../app/ui/surfaces/surface-rows.ts'
import { createTheme } from '../../../../app/ui/theme/theme.ts'
import { foldSurface } from '../../../../app/ui/view/fold-screen.ts'
import type { Surface } from '../../../../app/ui/view/fold-screen.ts'
import { foldView } from '../../../../app/ui/view/fold-view.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { View } from '../../../../app/ui/view/view.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import { fakeUi } from '../../../support/fake-ui.ts'

afterEach(cleanup)

const session = 'abcdefghij23'
const surface = (id: string, placement: string, more: Partial<Surface> = {}): Surface => ({
  ...{ type: 'surface', id, placement, lines: [id], source: 'snake', keys: true },
  ...more,
})

const viewWith = (...surfaces: Surface[]): View =>
  surfaces.reduce(foldSurface, { ...emptyView(), session: { id: session, cwd: '/nowhere', title: '' } })

function shown(view: View, answers: Readonly<Record<string, unknown>> = {}) {
  const fake = fakeUi({ view, answers })
  const actions: string[] = []
  const drawn = render(
    <UiContext value={fake.ui}>
      <Keyboard>
        <SessionComposer
          {...{ view, columns: 40, rows: 4, listRows: 4, hasRules: false, surfaceRows: 4 }}
          onAction={(name) => actions.push(name)}
        />
      </Keyboard>
    </UiContext>,
  )
  const text = (): string => stripVTControlCharacters(drawn.lastFrame() ?? '')
  const press = async (key: string): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    drawn.stdin.write(key)
  }
  return { ...fake, actions, text, press, frame: () => drawn.lastFrame() ?? '' }
}

const keyOf = (id: string, data: string, name?: string) => ({ type: 'surface_key', session, surface: id, data, ...(name !== undefined && { name }) }) // prettier-ignore

describe('the dialog of an extension', () => {
  it('stands in place of the input, names its extension, and gets the keys', async () => {
    const { text, press, requests } = shown(viewWith(surface('d', 'dialog', { lines: ['\u001b[31mplay\u001b[2J'] })))
    expect(text().split('\n')).toEqual(['play', 'snake · Ctrl-C closes'])
    await press('\u001b[A')
    await press('w')
    await vi.waitFor(() => expect(requests).toEqual([keyOf('d', '\u001b[A', 'up'), keyOf('d', 'w')]), {
      timeout: 10_000,
    })
  })

  it('closes at Ctrl-C, which it never gets, also if the server refuses', async () => {
    const failure = new Failure('bad_request', 'broken')
    const { press, requests, notices } = shown(viewWith(surface('d', 'dialog')), { surface_close: failure })
    await press('\u0003')
    await vi.waitFor(() => expect(requests).toEqual([{ type: 'surface_close', session, surface: 'd' }]), {
      timeout: 10_000,
    })
    expect(notices).toMatchObject([
      { type: 'surface_closed', surface: 'd' },
      { type: 'notice', text: 'broken' },
    ])
  })

  it('without keys closes at Esc', async () => {
    const { press, requests } = shown(viewWith(surface('d', 'dialog', { keys: false })))
    await press('x')
    await press('\u001b')
    await vi.waitFor(() => expect(requests).toEqual([{ type: 'surface_close', session, surface: 'd' }]), {
      timeout: 10_000,
    })
  })

  it('that is gone in the server is gone here', async () => {
    const { press, notices } = shown(viewWith(surface('d', 'dialog')), {
      surface_key: new Failure('unknown_surface', ''),
    })
    await press('x')
    await vi.waitFor(() => expect(notices).toEqual([{ type: 'surface_closed', surface: 'd' }]), { timeout: 10_000 })
  })

  it('waits behind a question of the core', () => {
    const view: View = { ...viewWith(surface('d', 'dialog')), overlay: { name: 'dialog', requestId: 'a'.repeat(26) } }
    expect(shown(view).text()).toBe('')
  })
})

describe('the editor of an extension', () => {
  const editor = viewWith(surface('e', 'editor', { lines: ['\u001b[7m>\u001b[0m hi'] }))

  it('gets what is typed; what it submits is sent as if it was typed here', async () => {
    const { text, press, requests } = shown(editor, { surface_key: { taken: true, text: '', submit: 'do it' } })
    expect(text()).toBe('> hi')
    await press('\r')
    await vi.waitFor(() => expect(requests.at(-1)).toMatchObject({ type: 'prompt', text: 'do it' }), {
      timeout: 10_000,
    })
    expect(requests[0]).toEqual(keyOf('e', '\r', 'enter'))
  })

  it('leaves a key that it does not take to the UI', async () => {
    const { press, actions } = shown(editor, { surface_key: { taken: false } })
    await press('\u001b')
    await vi.waitFor(() => expect(actions).toEqual(['abort']), { timeout: 10_000 })
  })

  it('gets no keys of the screen', async () => {
    const { press, actions, requests } = shown(editor)
    await press('\u000f')
    await press('\u000c')
    await vi.waitFor(() => expect([actions, requests]).toEqual([['expandTools', 'redraw'], []]), { timeout: 10_000 })
  })

  it('closes at Ctrl-C, and its text goes into the own editor; twice leaves', async () => {
    const { press, actions, requests, notices } = shown(editor, { surface_key: { taken: true, text: 'half' } })
    await press('f')
    await press('\u0003')
    await vi.waitFor(() => expect(requests.at(-1)).toEqual({ type: 'surface_close', session, surface: 'e' }), {
      timeout: 10_000,
    })
    expect(notices).toEqual([
      { type: 'surface_closed', surface: 'e' },
      { type: 'draft', text: 'half' },
    ])
    await press('\u0003')
    await vi.waitFor(() => expect(actions).toEqual(['leave']), { timeout: 10_000 })
  })

  it('stops the run at Ctrl-C, and stays', async () => {
    const { press, actions, requests } = shown({ ...editor, running: { since: 0 } })
    await press('\u0003')
    await vi.waitFor(() => expect([actions, requests]).toEqual([['abort'], []]), { timeout: 10_000 })
  })
})

describe('the rows of surfaces', () => {
  const many = (id: string, placement: string, more?: Partial<Surface>) =>
    surface(id, placement, { lines: Array<string>(30).fill(id), ...more })
  const all = viewWith(
    ...[many('h', 'header'), many('w', 'widget'), many('b', 'widget', { position: 'below' }), many('f', 'footer')],
    ...[many('old', 'dialog'), many('d', 'dialog'), many('e', 'editor')],
  )

  it.each([[8], [12], [24], [50]])('never exceed a terminal of %i rows', (rows) => {
    for (const view of [
      all,
      viewWith(many('e', 'editor')),
      viewWith(many('w', 'widget')),
      viewWith(many('d', 'dialog')),
    ]) {
      const { sum, dialog, editor } = surfaceRows(view, rows, 0)
      expect(sum + dialog + editor + 3).toBeLessThanOrEqual(Math.max(rows, 9))
      const { room } = layOut(view, { columns: 80, rows, theme: createTheme('dark', 'plain'), isRead: false })
      expect(room).toBeGreaterThanOrEqual(2)
    }
  })

  it('go to the newest dialog, header, editor and footer, and to all widgets', () => {
    const view = viewWith(
      surface('one', 'header'),
      surface('two', 'header'),
      surface('a', 'widget'),
      surface('b', 'widget', { position: 'below' }),
      surface('c', 'widget'), // prettier-ignore
    )
    const { header, above, below, footer, dialog } = surfaceRows(view, 30, 0)
    const ids = [header, above, below, footer].map((parts) => parts.map((part) => part.surface.id))
    expect([ids, dialog]).toEqual([[['two'], ['a', 'c'], ['b'], []], 0])
  })

  it('are none under a picker', () => {
    expect(surfaceRows({ ...all, overlay: { name: 'help' } }, 40, 0).sum).toBe(0)
  })
})

it('surfaces are drawn anew after an attach, and end with an event', () => {
  const view = viewWith(surface('a', 'widget'), surface('b', 'widget'))
  const event = { type: 'event', event: surface('a', 'widget', { lines: [], closed: true }) } as const
  expect(foldView(view, event).surfaces.map(({ id }) => id)).toEqual(['b'])
  const attached = { type: 'attached', channel: 1, head: 0, headEntryId: null, header: {}, queue: [], requests: [] }
  expect(foldView(view, attached as never)).toMatchObject({ surfaces: [], attachments: 1 })
})
