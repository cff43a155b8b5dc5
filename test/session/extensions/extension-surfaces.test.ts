// Tests surfaces in a session: an extension opens them, they end with it, and a broken one is quarantined.
import { of } from 'rxjs'
import { afterEach, describe, expect, it } from 'vitest'
import type { ExtensionApi } from '../../../lib/extensions/index.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import type { SurfacePlacement } from '../../../lib/streams/surfaces/surfaces.ts'

const opened: Session[] = []
afterEach(() => {
  for (const session of opened.splice(0)) session.close().subscribe()
})

function open(hasScreen = true) {
  let api: ExtensionApi | undefined
  const session = createSession({
    model: { model: scriptedModel, provider: scripted([]) },
    cwd: '/somewhere',
    env: {},
    settings: { tools: [] },
    extensions: [{ name: 'probe', version: '1.0.0', setup: (own) => void (api = own) }],
  })
  opened.push(session)
  const events: EventNamed<'surface'>[] = []
  const { surfaces } = session
  if (api === undefined || surfaces === undefined) throw new Error('the extension was not set up')
  if (hasScreen) surfaces.draw({ size$: of({ columns: 40, rows: 10 }) }).subscribe((event) => events.push(event))
  return { session, surfaces, events, ui: api.ui }
}

const lines = ({ id, closed, lines: all }: EventNamed<'surface'>) =>
  closed === true ? `${id} closed` : `${id} ${all.join()}`

describe('ui.surface', () => {
  it('is drawn until the extension or a person closes it', () => {
    const { ui, surfaces, events } = open()
    let closings = 0
    const dialog = ui.surface({ placement: 'dialog', render: () => ['?'], onClose: () => closings++ })
    const footer = ui.surface({ placement: 'footer', id: 'f', render: ({ columns }) => [`${columns}`] })
    surfaces.close(dialog.id)
    footer.unregister()
    dialog.unregister()
    expect([events.map(lines), dialog.isOpen, closings]).toEqual([
      ['probe:1 ?', 'probe:f 40', 'probe:1 closed', 'probe:f closed'],
      false,
      1,
    ])
  })

  it('takes the place of the one with its id, without a gap', () => {
    const { ui, events } = open()
    const first = ui.surface({ placement: 'widget', id: 'w', render: () => ['one'] })
    ui.surface({ placement: 'widget', id: 'w', render: () => ['two'] })
    expect([events.map(lines), first.isOpen]).toEqual([['probe:w one', 'probe:w two'], false])
  })

  it('knows the size of the screen', () => {
    expect([open().ui.screen(), open(false).ui.screen()]).toEqual([{ columns: 40, rows: 10 }, undefined])
  })

  it.each([
    ['an unknown place', 'ceiling', {}, 'bad_request'],
    ['no render', 'widget', { render: undefined }, 'bad_request'],
    ['an empty id', 'widget', { id: '' }, 'bad_request'],
    ['a long id', 'widget', { id: 'x'.repeat(101) }, 'bad_request'],
  ])('refuses %s', (_, placement, more, code) => {
    const component = { placement: placement as SurfacePlacement, render: () => [], ...more }
    expect(() => open().ui.surface(component as never)).toThrow(expect.objectContaining({ code }))
  })

  it('refuses a dialog without a screen; other surfaces wait for one', () => {
    const { ui } = open(false)
    expect(() => ui.surface({ placement: 'dialog', render: () => [] })).toThrow(
      expect.objectContaining({ code: 'not_allowed' }),
    )
    expect(ui.surface({ placement: 'widget', render: () => [] }).isOpen).toBe(true)
  })

  it('refuses the 51st at a time, and a thousand one after another are fine', () => {
    const { ui } = open()
    const show = () => ui.surface({ placement: 'widget', render: () => [] })
    for (let number = 0; number < 1_000; number++) show().unregister()
    for (let number = 0; number < 50; number++) show()
    expect(show).toThrow('50 surfaces are open')
  })

  it('ends with an extension that is quarantined for its faults', () => {
    const { ui, surfaces, session, events } = open()
    const key = (): never => {
      throw new Error('broken')
    }
    const { id } = ui.surface({ placement: 'editor', render: () => ['>'], key })
    for (let count = 0; count < 10; count++) expect(() => surfaces.press(id, { data: 'x' })).toThrow('broken')
    expect(() => surfaces.press(id, { data: 'x' })).toThrow(expect.objectContaining({ code: 'unknown_surface' }))
    expect(() => ui.surface({ placement: 'widget', render: () => [] })).toThrow('was unloaded')
    expect(events.map(lines).at(-1)).toBe(`${id} closed`)
    expect([...session.logged()].some(({ event }) => event.type === 'extension_state' && event.state === 'quarantined')).toBe(true) // prettier-ignore
  })
})
