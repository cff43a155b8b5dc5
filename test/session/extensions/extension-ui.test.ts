// Tests what extensions show in a UI: status texts, early notices, keys and themes, and that they end with them.
import { afterEach, describe, expect, it } from 'vitest'
import { themeRoles } from '../../../lib/streams/commands/extension-ui-commands.ts'
import type { ExtensionUi } from '../../../lib/streams/commands/extension-ui-commands.ts'
import type { ExtensionApi, ThemeDefinition, KeyBinding } from '../../../lib/extensions/index.ts'
import { extensionSet } from '../../../lib/extensions/index.ts'
import { extension, named, open, run, closeOpened } from './extension-scene.ts'
import type { Opened } from './extension-scene.ts'

afterEach(closeOpened)

const command = { name: 'greet', description: 'Greets', run: () => 'Hello' }
const sea: ThemeDefinition = { name: 'sea', base: 'dark', colours: { accent: 39, link: '#00aaff' } }
const binding: KeyBinding = { key: 'alt+g', command: 'greet', argument: 'you', description: 'Greets' }

function shown({ session }: Opened): ExtensionUi {
  const { extensionUi } = session
  if (extensionUi === undefined) throw new Error('no extensions')
  return extensionUi()
}

/** The messages with which the registrations fail. */
function refusals(...acts: readonly ((api: ExtensionApi) => unknown)[]): string[] {
  const messages: string[] = []
  const trying = extension((api) => {
    for (const act of acts) {
      try {
        act(api)
        messages.push('accepted')
      } catch (error) {
        messages.push(String(error))
      }
    }
  })
  open([trying], [])
  return messages
}

describe('a status text', () => {
  it('is there for clients that come later, follows changes, and is one short line', () => {
    let api: ExtensionApi | undefined
    const state = open(
      [
        extension((own) => {
          api = own
          own.ui.status('one')
          own.ui.status(`two\n${'x'.repeat(300)}`, 'second')
        }),
      ],
      [],
    )
    expect(shown(state).statuses).toEqual([
      { extension: 'probe', key: 'probe', text: 'one' },
      { extension: 'probe', key: 'second', text: `two ${'x'.repeat(196)}` },
    ])
    api?.ui.status(undefined)
    api?.ui.status('new', 'second')
    expect(shown(state).statuses).toEqual([{ extension: 'probe', key: 'second', text: 'new' }])
    expect(named(state, 'status').map(({ code, context }) => [code, context])).toEqual([
      ['extension_status', { extension: 'probe', key: 'probe', text: null }],
      ['extension_status', { extension: 'probe', key: 'second', text: 'new' }],
    ])
  })

  it('is refused beyond 20, and if it is no text', () => {
    const many = Array.from({ length: 21 }, (_, index) => (api: ExtensionApi) => api.ui.status('x', `key ${index}`))
    expect(refusals(...many).at(-1)).toContain('at most 20 status texts')
    expect(
      refusals(
        (api) => api.ui.status(3 as never),
        (api) => api.ui.status('x', ''),
      ),
    ).toEqual([
      'Failure: A status text is a text, or undefined',
      'Failure: The key of a status text is a text of 1 to 100 characters',
    ])
  })
})

describe('a notice of the opening', () => {
  it('is held until the first run, the first 20', () => {
    const state = open(
      [
        extension(({ ui, hooks }) => {
          ui.notify('early', 'warning')
          hooks.on('session_start', () => {
            for (let index = 0; index < 30; index++) ui.notify(`notice ${index}`)
          })
        }),
      ],
      ['Hello'],
    )
    const { notices } = shown(state)
    expect(notices).toHaveLength(20)
    expect(notices[0]).toMatchObject({ extension: 'probe', level: 'warning', text: 'early' })
    expect(notices[0]?.seq).toBeLessThan(state.session.state$.value.seq)
    run(state)
    expect(shown(state).notices).toEqual([])
  })
})

describe('keys and themes', () => {
  it('are listed, and announced if they change', () => {
    let api: ExtensionApi | undefined
    const state = open(
      [
        extension((own) => {
          api = own
          own.commands.register(command)
          own.ui.bindKey(binding)
          own.ui.theme(sea)
        }),
      ],
      [],
    )
    expect(shown(state)).toMatchObject({
      keys: [{ extension: 'probe', ...binding }],
      themes: [{ extension: 'probe', ...sea }],
    })
    expect(named(state, 'status')).toEqual([])
    const other = api?.ui.theme({ name: 'sand', base: 'light', colours: {} })
    other?.unregister()
    expect(named(state, 'status').map(({ code }) => code)).toEqual(['extension_ui', 'extension_ui'])
  })

  it('are left out once the command of the key is gone', () => {
    const state = open(
      [
        extension(({ commands, ui }) => {
          const registered = commands.register(command)
          ui.bindKey(binding)
          registered.unregister()
        }),
      ],
      [],
    )
    expect(shown(state).keys).toEqual([])
  })

  it.each<[string, (api: ExtensionApi) => unknown, string]>([
    ['a key without its command', ({ ui }) => ui.bindKey(binding), 'which probe has not registered'],
    ['a key that is no name', ({ ui }) => ui.bindKey({ ...binding, key: 'alt g' }), 'is not a name such as'],
    ['a theme of a reserved name', ({ ui }) => ui.theme({ ...sea, name: 'dark' }), 'not dark, light or auto'],
    ['an unknown role', ({ ui }) => ui.theme({ ...sea, colours: { sky: 1 } as never }), `there are ${themeRoles.join(', ')}`], // prettier-ignore
    ['a colour that is none', ({ ui }) => ui.theme({ ...sea, colours: { accent: 256 } }), 'a number from 0 to 255'],
    ['an escape sequence', ({ ui }) => ui.theme({ ...sea, colours: { accent: '\u001b[2J' } }), '"#rrggbb"'],
    ['a base that is none', ({ ui }) => ui.theme({ ...sea, base: 'grey' as never }), 'is "dark" or "light"'],
  ])('refuse %s', (_, act, words) => {
    expect(refusals(act)[0]).toContain(words)
  })

  it('refuse the key and the theme of another extension', () => {
    const first = extension(({ commands, ui }) => {
      commands.register(command)
      ui.bindKey(binding)
      ui.theme(sea)
    })
    const messages: string[] = []
    const second = extension(
      ({ commands, ui }) => {
        commands.register({ ...command, name: 'other' })
        for (const act of [() => ui.bindKey({ ...binding, command: 'other' }), () => ui.theme(sea)]) {
          try {
            act()
          } catch (error) {
            messages.push(String(error))
          }
        }
      },
      { name: 'second' },
    )
    open([first, second], [])
    expect(messages).toEqual([
      'Failure: The extension probe has the key alt+g already',
      'Failure: The extension probe has a theme sea already',
    ])
  })
})

describe('an unload', () => {
  it('takes everything back', () => {
    const set = extensionSet({ host: { id: 'a', cwd: '/', env: {}, ownTools: [] } })
    const showing = extension(({ commands, ui }) => {
      commands.register(command)
      ui.bindKey(binding)
      ui.theme(sea)
      ui.status('one')
    })
    set.load(showing).subscribe()
    const commands = [{ extension: 'probe', name: command.name }]
    expect(set.ui()).toMatchObject({
      statuses: [{ text: 'one' }],
      keys: [{ key: 'alt+g' }],
      themes: [{ name: 'sea' }],
      commands,
    })
    set.unload('probe').subscribe()
    expect(set.ui()).toEqual({ statuses: [], notices: [], keys: [], themes: [] })
    set.close().subscribe()
  })
})
