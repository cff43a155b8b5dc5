// Tests components of modules of pi: shown as surfaces, with keys, until they are done or a person closes them.
import { of } from 'rxjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { piExtension } from '../../../lib/extensions/pi/pi-extension.ts'
import { loadPiTui, piKeybindings } from '../../../lib/extensions/pi/modules/pi-tui.ts'
import { overlayLines } from '../../../lib/extensions/pi/surfaces/overlay-layout.ts'
import type { OverlayOptions } from '../../../lib/extensions/pi/surfaces/overlay-layout.ts'
import { piModules } from '../../../lib/extensions/pi/modules/pi-modules.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'

type Ctx = { ui: Record<string, (...parts: never[]) => unknown>; mode: string; model: { id: string } | undefined }

const opened: Session[] = []
afterEach(() => {
  for (const session of opened.splice(0)) session.close().subscribe()
})

/** A session with a module of pi, and its context. */
async function open(hasScreen = true) {
  let context: Ctx | undefined
  const modes: string[] = []
  const module = (pi: { on: (type: string, handler: (event: object, ctx: Ctx) => void) => void }): void => {
    pi.on('session_start', (_event, ctx) => {
      context = ctx
      modes.push(ctx.mode)
    })
  }
  const session = createSession({
    model: { model: scriptedModel, provider: scripted([]) },
    cwd: '/somewhere',
    env: {},
    settings: { tools: [] },
    extensions: [piExtension(module, { name: 'game', path: '/game.ts' })],
  })
  opened.push(session)
  const events: EventNamed<'surface'>[] = []
  const notices: string[] = []
  session.events().subscribe((event) => {
    if (event.type === 'warning') notices.push(event.message)
  })
  const { surfaces } = session
  if (surfaces === undefined) throw new Error('no surfaces')
  if (hasScreen) surfaces.draw({ size$: of({ columns: 40, rows: 10 }) }).subscribe((event) => events.push(event))
  await vi.waitFor(() => expect(context).toBeDefined(), { timeout: 10_000 })
  await Promise.resolve()
  const ctx = context as unknown as Ctx
  return {
    ctx,
    ui: ctx.ui as Record<string, (...parts: unknown[]) => unknown>,
    session,
    surfaces,
    events,
    notices,
    modes,
  }
}

const lines = ({ id, lines: all, closed }: EventNamed<'surface'>) =>
  `${id} ${closed === true ? 'closed' : all.join('|')}`

describe('ctx.ui.custom', () => {
  it('shows the component to screens, hands it keys, and resolves with what it is done with', async () => {
    const { ui, surfaces, events } = await open()
    let disposed = 0
    const result = ui['custom']?.((_tui: unknown, theme: { bold(text: string): string }, _keys: unknown, done: (value: string) => void) => {
      let typed = ''
      return {
        render: (width: number) => [`${theme.bold(typed)}${width}`],
        handleInput: (data: string) => (data === '\r' ? done(typed) : (typed += data)),
        dispose: () => disposed++,
      }
    }) // prettier-ignore
    await vi.waitFor(() => expect(events.map(lines)).toEqual([expect.stringMatching(/^game:dialog \d+ .*40/)]), {
      timeout: 10_000,
    })
    const [{ id } = { id: '' }] = events
    surfaces.press(id, { data: 'a' })
    surfaces.press(id, { data: '\r' })
    expect([await result, disposed, events.at(-1)?.closed]).toEqual(['a', 1, true])
  })

  it('resolves with undefined if a person closes it, and when the session ends', async () => {
    const { ui, surfaces, events, session } = await open()
    const component = () => ({ render: () => ['x'] })
    const first = ui['custom']?.(component)
    await vi.waitFor(() => expect(events).toHaveLength(1), { timeout: 10_000 })
    surfaces.close(events[0]?.id ?? '')
    expect(await first).toBeUndefined()
    const second = ui['custom']?.(component)
    await vi.waitFor(() => expect(events).toHaveLength(3), { timeout: 10_000 })
    session.close().subscribe()
    expect(await second).toBeUndefined()
  })

  it('resolves with undefined without a screen, and a notice says why', async () => {
    const { ui, ctx, notices, modes } = await open(false)
    expect(await ui['custom']?.(() => ({ render: () => [] }))).toBeUndefined()
    expect([notices.join(), ctx.mode, modes]).toEqual([expect.stringContaining('no client that draws'), 'rpc', ['tui']])
  })

  it('rejects if the factory fails', async () => {
    const { ui, events } = await open()
    const broken = (): never => {
      throw new Error('broken')
    }
    await expect(ui['custom']?.(broken)).rejects.toThrow('broken')
    expect(events).toEqual([])
  })

  it('shows an overlay that its handle hides, shows again and ends', async () => {
    const { ui, events } = await open()
    const handles: { hide(): void; setHidden(hidden: boolean): void; isHidden(): boolean }[] = []
    void ui['custom']?.(() => ({ render: () => ['o'] }), { overlay: true, onHandle: (handle: never) => handles.push(handle) }) // prettier-ignore
    await vi.waitFor(() => expect(handles).toHaveLength(1), { timeout: 10_000 })
    const [handle] = handles
    handle?.setHidden(true)
    handle?.setHidden(false)
    handle?.hide()
    handle?.setHidden(false)
    expect(events.map(({ closed }) => closed === true)).toEqual([false, true, false, true])
    expect(handle?.isHidden()).toBe(true)
  })
})

interface FooterData {
  getGitBranch(): unknown
  getExtensionStatuses(): Map<string, string>
}

const ruler = { render: (width: number) => ['-'.repeat(width), 'b', 'c'] }

describe('an overlay', () => {
  it.each<[string, OverlayOptions, string[]]>([
    ['of no width', {}, ['-'.repeat(40), 'b', 'c']],
    ['in the middle', { width: 10 }, [`${' '.repeat(15)}----------`, `${' '.repeat(15)}b`, `${' '.repeat(15)}c`]],
    ['at the left, two rows high', { width: '25%', anchor: 'top-left', maxHeight: 2 }, ['----------', 'b']],
    ['at the right, with a margin', { width: 10, anchor: 'right-center', margin: 2, maxHeight: '10%' }, [`${' '.repeat(28)}----------`]], // prettier-ignore
    ['moved out of the screen', { width: 30, offsetX: 99, maxHeight: 1 }, [`${' '.repeat(10)}${'-'.repeat(30)}`]],
    ['at a share of the width', { width: 20, col: '50%', maxHeight: 1 }, [`${' '.repeat(10)}${'-'.repeat(20)}`]],
    ['wider than the screen', { width: 99, minWidth: 120, maxHeight: 1 }, ['-'.repeat(40)]],
    ['that is invisible', { visible: (columns) => columns > 99 }, []],
  ])('%s', (_name, options, expected) => {
    expect(overlayLines(ruler, options, { columns: 40, rows: 10 })).toEqual(expected)
  })

  it('is shown so to screens, also if tui shows it', async () => {
    const { ui, events, notices } = await open()
    void ui['custom']?.(
      (tui: { showOverlay(component: object, options: object): void }) => {
        tui.showOverlay(ruler, { width: 10, anchor: 'right', maxHeight: 1, nonCapturing: true })
        return ruler
      },
      { overlay: true, overlayOptions: () => ({ width: 4, anchor: 'left', maxHeight: 1 }) },
    )
    await vi.waitFor(
      () => expect(events.map((event) => event.lines)).toEqual([[`${' '.repeat(30)}----------`], ['----']]),
      { timeout: 10_000 },
    )
    expect(notices).toEqual([expect.stringContaining('nonCapturing of an overlay of pi differs')])
  })
})

describe('the places of a screen', () => {
  it('hold widgets, a header and a footer until they are removed', async () => {
    const { ui, events } = await open()
    ui['setWidget']?.('w', ['one', 'two'], { placement: 'belowEditor' })
    ui['setHeader']?.(() => ({ render: (width: number) => [`head ${width}`] }))
    ui['setStatus']?.('own', 'ready')
    ui['setStatus']?.('gone', 'x')
    ui['setStatus']?.('gone', undefined)
    ui['setFooter']?.((_tui: unknown, _theme: unknown, data: FooterData) => ({ render: () => [`foot ${String(data.getGitBranch())}${[...data.getExtensionStatuses()].join()}`] })) // prettier-ignore
    ui['setWidget']?.('w', ['three'])
    for (const name of ['setHeader', 'setFooter']) ui[name]?.(undefined)
    ui['setWidget']?.('w', undefined)
    expect(events.map(lines)).toEqual([
      'game:widget w one|two',
      'game:header head 40',
      'game:footer foot nullown,ready',
      'game:widget w three',
      'game:header closed',
      'game:footer closed',
      'game:widget w closed',
    ])
    expect(events.map(({ position }) => position).slice(0, 4)).toEqual(['below', undefined, undefined, 'above'])
  })

  it('draw again when the component asks for it', async () => {
    const { ui, events } = await open()
    let count = 0
    let again: () => void = () => undefined
    ui['setHeader']?.((tui: { requestRender(): void }) => {
      again = tui.requestRender
      return { render: () => [String(count)] }
    })
    count = 1
    again()
    await vi.waitFor(() => expect(events.map(lines)).toEqual(['game:header 0', 'game:header 1']), { timeout: 10_000 })
  })
})

describe('an editor of a module, made of the package pi-tui', () => {
  it('takes what is typed, submits it, and leaves Escape and an empty Ctrl-D to the client', async () => {
    const modules = await piModules({ variables: {}, link: {} })
    const { CustomEditor } = modules['@earendil-works/pi-coding-agent'] as { CustomEditor: new (...parts: unknown[]) => object } // prettier-ignore
    const { ui, surfaces, events } = await open()
    ui['setEditorComponent']?.((tui: unknown, theme: unknown, keys: unknown) => new CustomEditor(tui, theme, keys))
    const id = 'game:editor'
    expect(events.map((event) => event.id)).toEqual([id])
    expect(surfaces.press(id, { data: '\u0004' })).toEqual({ taken: false, text: '' })
    expect(surfaces.press(id, { data: 'h' })).toEqual({ taken: true, text: 'h' })
    expect(surfaces.press(id, { data: '\u001b' })).toEqual({ taken: false, text: 'h' })
    expect(ui['getEditorText']?.()).toBe('h')
    expect(surfaces.press(id, { data: '\r' })).toEqual({ taken: true, text: '', submit: 'h' })
  })

  it('cannot be made without the package: the failure names it', async () => {
    const missing = Object.assign(new Error('gone'), { code: 'ERR_MODULE_NOT_FOUND' })
    const modules = await piModules({ variables: {}, link: {} }, () => Promise.reject(missing))
    const { Editor } = modules['@earendil-works/pi-tui'] as { Editor: new () => object }
    expect(() => new Editor()).toThrow('the optional package @earendil-works/pi-tui is not installed')
    expect(piKeybindings().matches('\u001b', 'app.interrupt')).toBe(false)
    expect(await loadPiTui()).toBeDefined()
    expect(piKeybindings().matches('\u001b', 'app.interrupt')).toBe(true)
  })
})
