// Tests what a UI shows of extensions: status texts, missed notices, keys that clash, themes.
import { describe, expect, it } from 'vitest'
import { hiddenCommands } from '../../../../app/ui/commands/slash-commands.ts'
import { makeKeymap, withExtensionKeys } from '../../../../app/ui/keys/keymap.ts'
import { statusParts } from '../../../../app/ui/status/status-parts.ts'
import { createTheme } from '../../../../app/ui/theme/theme.ts'
import { foldView } from '../../../../app/ui/view/fold-view.ts'
import type { ViewInput } from '../../../../app/ui/view/view-input.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { View } from '../../../../app/ui/view/view.ts'
import { noExtensionUi, themeRoles } from '../../../../lib/streams/commands/extension-ui-commands.ts'
import type { ExtensionUi } from '../../../../lib/streams/commands/extension-ui-commands.ts'

function ui(extensions: Partial<ExtensionUi>, before?: number): ViewInput {
  return { type: 'extension_ui', extensions: { ...noExtensionUi, ...extensions }, ...(before === undefined ? {} : { before }) } // prettier-ignore
}

function status(key: string, text: string | null): ViewInput {
  const event = { type: 'status', code: 'extension_status', message: text ?? '', context: { extension: 'x', key, text }, recoverable: true } as const // prettier-ignore
  return { type: 'event', event } as never
}

function fold(...inputs: readonly ViewInput[]): View {
  return inputs.reduce(foldView, emptyView())
}

describe('a status text of an extension', () => {
  it('is in the status row until it is gone, and is no notice', () => {
    const view = fold(
      ui({ statuses: [{ extension: 'x', key: 'a', text: 'one' }] }),
      status('b', 'two'),
      status('a', 'uno'),
    )
    expect(statusParts(view, undefined, 200).map(({ text }) => text)).toEqual(['connecting', 'uno', 'two'])
    const after = fold(status('a', 'one'), status('a', null))
    expect(statusParts(after, undefined, 200).map(({ text }) => text)).toEqual(['connecting'])
    expect(after.finishedCount + after.live.length).toBe(0)
  })

  it('is cut, safe, and one of six at most', () => {
    const statuses = Array.from({ length: 9 }, (_, index) => ({ extension: 'x', key: `${index}`, text: `${index}\u001b[2J${'w'.repeat(60)}` })) // prettier-ignore
    const parts = statusParts(fold(ui({ statuses })), undefined, 1_000).slice(1)
    expect(parts).toHaveLength(6)
    expect(parts.every(({ text }) => text.length <= 40 && !text.includes('\u001b'))).toBe(true)
  })
})

describe('a notice of the opening', () => {
  it('is shown once, if the client missed its event', () => {
    const notices = [
      { extension: 'x', level: 'info', text: 'early', seq: 3 },
      { extension: 'x', level: 'warning', text: 'late', seq: 5 },
    ] as const
    const shown = fold(ui({ notices: [...notices] }, 5), ui({ notices: [...notices] }))
    expect([...shown.finished, ...shown.live]).toEqual([expect.objectContaining({ kind: 'notice', text: 'x: early' })])
  })
})

describe('a key of an extension', () => {
  const key = { extension: 'x', command: 'greet', description: 'Greets' }

  it('is used if nothing else has it; a clash is named', () => {
    const keys = ['alt+g', 'ctrl+g', 'Alt+G', 'g'].map((name) => ({ ...key, key: name }))
    const { keymap, problems } = withExtensionKeys(makeKeymap(), keys)
    expect([...(keymap.extensions ?? [])].map(([name]) => name)).toEqual(['alt+g'])
    expect(problems).toEqual([
      'ctrl+g of the extension x is not used: it runs externalEditor',
      '"g" is not a key: it types a character; add ctrl, alt or super (of the extension x)',
    ])
  })
})

describe('a command of an extension', () => {
  it('is named if the UI has one of that name', () => {
    const commands = ['plan', 'keys', 'todos'].map((name) => ({ extension: 'pi-plan\u001b[2Jmode', name }))
    expect(hiddenCommands(commands)).toEqual([
      expect.stringMatching(/^\/plan of the extension pi-plan.*mode is not used: it is a command of this UI$/),
      expect.stringMatching(/^\/keys of/),
    ])
    expect(hiddenCommands(commands).join('')).not.toContain('\u001b')
  })
})

describe('a theme of an extension', () => {
  it('has its colours over those of its base, where the terminal has many', () => {
    const theme = createTheme('dark', 'many', { accent: 39, link: '#00aaff', danger: 'no colour' })
    expect(theme.paint('accent', 'x')).toBe('\u001b[38;5;39mx\u001b[39m')
    expect(theme.paint('link', 'x')).toContain('38;2;0;170;255')
    expect(theme.paint('danger', 'x')).toBe(createTheme('dark', 'many').paint('danger', 'x'))
    expect(createTheme('dark', 'basic', { accent: 39 }).paint('accent', 'x')).toBe('\u001b[36mx\u001b[39m')
  })

  it('may set each role that has a colour', () => {
    const plain = createTheme('dark', 'many')
    const own = createTheme('dark', 'many', Object.fromEntries(themeRoles.map((role) => [role, 1])))
    expect(themeRoles.filter((role) => plain.paint(role, 'x') === own.paint(role, 'x'))).toEqual([])
  })

  it('is chosen by name, until another theme is', () => {
    const chosen = fold({ type: 'theme', theme: 'light' }, { type: 'extension_theme', name: 'sea' })
    expect(chosen).toMatchObject({ theme: 'light', extensionTheme: 'sea' })
    expect(foldView(chosen, { type: 'theme', theme: 'dark' }).extensionTheme).toBeUndefined()
  })
})
