// Tests the full-screen pages of the UI.
// Over 250 lines: one frame around every page, with its keys and its size.
import { stripVTControlCharacters } from 'node:util'
import { cleanup, render } from '../../../support/ink-screen.ts'
import { Subject } from 'rxjs'
import { afterEach, describe, expect, it } from 'vitest'
import { Keyboard } from '../../../../app/ui/keys/keyboard.tsx'
import { UiContext } from '../../../../app/ui/hooks/use-ui.ts'
import { makeKeymap } from '../../../../app/ui/keys/keymap.ts'
import { slashCommands } from '../../../../app/ui/commands/slash-commands.ts'
import { keySheet } from '../../../../app/ui/pages/key-sheet.ts'
import { helpLines } from '../../../../app/ui/pages/help-lines.ts'
import { usualProviders } from '../../../../app/ui/pages/login-state.ts'
import { LoginScreen } from '../../../../app/ui/pages/login-screen.tsx'
import { Page } from '../../../../app/ui/pages/page.tsx'
import { span } from '../../../../app/ui/text/span.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { View } from '../../../../app/ui/view/view.ts'
import type { Command } from '../../../../lib/streams/commands/command.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import { fakeUi } from '../../../support/fake-ui.ts'
import { presets } from '../../../../lib/providers/endpoints/presets.ts'

afterEach(cleanup)

const rowsOf = (frame: string | undefined) =>
  stripVTControlCharacters(frame ?? '')
    .split('\n')
    .map((row) => row.trimEnd())

/** Writes pieces, each after the previous one is drawn, then waits for the expected state. */
async function receivedAfter(
  write: (piece: string) => void,
  pieces: readonly string[],
  received: () => unknown,
  expected: unknown,
) {
  for (const piece of pieces) {
    await new Promise((resolve) => setImmediate(resolve))
    write(piece)
  }
  await expect.poll(received, { timeout: 10_000 }).toEqual(expected)
}

describe('Page', () => {
  it('wraps, scrolls within its rows, shows its position, and closes', async () => {
    let closed = 0
    const lines = ['one', 'two words that are long', '\u001b[31mthree', 'four', 'five'].map((text) => [span(text)])
    const { stdin, lastFrame } = render(
      <Keyboard>
        <Page title="Title" lines={lines} columns={20} height={5} onClose={() => (closed += 1)} />
      </Keyboard>,
    )
    const rows = () => rowsOf(lastFrame())
    const write = (piece: string) => {
      stdin.write(piece)
    }
    expect(rows()).toEqual(['Title', 'one', 'two words that', '    are long', '1–3 of 6 · up and …'])
    await receivedAfter(write, ['\u001b[B\u001b[B\u001b[A', ' '], rows, [
      'Title',
      '␛[31mthree',
      'four',
      'five',
      '4–6 of 6 · up and …',
    ])
    await receivedAfter(write, ['\u001b[5~'], rows, [
      'Title',
      'one',
      'two words that',
      '    are long',
      '1–3 of 6 · up and …',
    ])
    await receivedAfter(write, ['\u001b'], () => closed, 1)
  })
})

describe('helpLines', () => {
  const help = (overrides = {}, columns = 100) =>
    helpLines({ commands: slashCommands, keymap: makeKeymap(overrides), columns }).map((line) =>
      line
        .map(({ text }) => text)
        .join('')
        .trimEnd(),
    )

  it('lists every command and every key', () => {
    const lines = help()
    expect(lines).toContain('  /help                 commands and keys (/keys)')
    expect(lines).toContain('  ctrl+g                write in $VISUAL or $EDITOR · externalEditor')
    expect(lines.join('\n')).not.toContain('Clashes')
  })

  it('lists the keys of the user, and clashes', () => {
    const lines = help({ undo: ['ctrl+z'], tree: [] })
    expect(lines).toContain('  ctrl+z                undo · undo')
    expect(lines).toContain('  no key                the tree of this session · tree')
    expect(lines).toContain('  ctrl+z now runs undo, no longer suspend')
  })

  it('begins with the most used commands and fits 60 columns [SCREEN-help]', () => {
    const lines = help({}, 59)
    const first = lines.filter((line) => line.startsWith('  /')).slice(0, 5)
    expect(first.map((line) => line.trim().split(' ')[0])).toEqual(['/model', '/undo', '/diff', '/tree', '/resume'])
    expect(lines.filter((line) => line.length > 59)).toEqual([])
  })
})

describe('keySheet', () => {
  const sheet = (overrides = {}) => keySheet(makeKeymap(overrides)).map((line) => line.map(({ text }) => text).join(''))

  it('fits one screen of 60 by 24 cells, with the page around it [SCREEN-keys]', () => {
    const lines = sheet()
    expect(lines.length).toBeLessThanOrEqual(14)
    expect(lines.filter((line) => line.length > 59)).toEqual([])
    expect(lines.join('\n')).not.toContain('…')
    expect(lines[3]).toBe('Esc         stop the run     !!          without model    ')
  })

  it('is drawn as a page of 60 cells without a broken line', () => {
    const { lastFrame } = render(
      <Keyboard>
        <Page title="Keys" lines={keySheet(makeKeymap())} columns={60} height={18} onClose={() => undefined} />
      </Keyboard>,
    )
    expect(rowsOf(lastFrame())).toHaveLength(keySheet(makeKeymap()).length + 2)
  })

  it('names the keys of the user', () => {
    expect(sheet({ abort: ['ctrl+x'], tree: [] }).join('\n')).toMatch(/Ctrl-X +stop the run[^]*no key +session tree/)
  })
})

/** The requests, as they grow, without the question about accounts. */
function withoutVendors(all: readonly Command[]) {
  const own = (): readonly Command[] => all.filter(({ type }) => type !== 'auth_accounts')
  return {
    get length() {
      return own().length
    },
    map: <Value,>(work: (each: Command) => Value) => own().map(work),
    flatMap: <Value,>(work: (each: Command) => readonly Value[]) => own().flatMap(work),
    at: (index: number) => own().at(index),
  }
}

describe('LoginScreen', () => {
  function login(answers: Readonly<Record<string, unknown>>, provider: string | undefined = '', view = emptyView()) {
    let closed = 0
    const { ui, requests: all, notices } = fakeUi({ answers: { auth_accounts: { vendors: [] }, ...answers }, view })
    const requests = withoutVendors(all)
    const { stdin, lastFrame } = render(
      <UiContext value={ui}>
        <Keyboard>
          <LoginScreen provider={provider} columns={60} height={12} onClose={() => (closed += 1)} />
        </Keyboard>
      </UiContext>,
    )
    const type = (pieces: readonly string[], received: () => unknown, expected: unknown) =>
      receivedAfter(
        (piece) => {
          stdin.write(piece)
        },
        pieces,
        received,
        expected,
      )
    return {
      requests,
      notices,
      type,
      rows: () => rowsOf(lastFrame()),
      isClosed: () => closed > 0,
    }
  }
  const stored = { keyId: 'abcdefg2', kept: 'keychain', origin: 'https://api.anthropic.com', notices: [] }
  const valid = { outcome: 'valid', message: 'fine' }

  it('lists all providers; a choice asks for the key [FIRST-lists]', async () => {
    const answers = { list_models: { models: [] }, auth_accounts: { vendors: [] } }
    const { ui, requests } = fakeUi({ answers, view: emptyView() })
    const { stdin, lastFrame } = render(
      <UiContext value={ui}>
        <Keyboard>
          <LoginScreen columns={60} height={12} onClose={() => undefined} />
        </Keyboard>
      </UiContext>,
    )
    const write = (piece: string): void => {
      stdin.write(piece)
    }
    await receivedAfter(write, ['groq', '\r'], () => rowsOf(lastFrame())[0], 'Log in: the key of groq')
    expect(requests.map(({ type }) => type)).toEqual(['list_models', 'auth_accounts', 'auth_accounts'])
  })

  it('completes the provider, hides the key, verifies it, stores it and closes', async () => {
    const { requests, notices, type, rows, isClosed } = login({
      auth_list: { providers: [] },
      auth_verify: valid,
      auth_set: stored,
    })
    await type(['anth', '\t'], () => rows()[1], '› anthropic')
    await type(['\r'], () => rows()[0], 'Log in: the key of anthropic')
    await type(['sk-secret'], () => rows()[1], '› •••••••••')
    await type(['\r'], isClosed, true)
    expect(requests.map(({ type }) => type)).toEqual(['auth_list', 'auth_verify', 'auth_set'])
    expect(requests.at(-1)).toMatchObject({ provider: 'anthropic', key: 'sk-secret' })
    expect(notices).toEqual([expect.objectContaining({ level: 'success' })])
    expect(JSON.stringify(notices)).not.toContain('sk-secret')
  })

  it('accepts the beginning of one common provider name', async () => {
    const { requests, type, rows } = login({ auth_list: new Failure('bad_request', 'no provider "anth"') })
    await type(['anth', '\r'], () => rows()[0], 'Log in: the key of anthropic')
    expect(requests).toHaveLength(1)
  })

  const demoView: View = { ...emptyView(), session: { id: 'abcdefghij23', cwd: '/', title: '' }, model: 'demo/guide' }
  const withDefault = { ...stored, defaultModel: 'anthropic/claude' }
  const unused = { code: 'key_unused', message: 'not used' }
  it.each([
    ['takes the place of the demo model', demoView, withDefault, ['anthropic/claude']],
    ['leaves another model as it is', { ...demoView, model: 'openai/gpt' }, withDefault, []],
    ['changes nothing if the provider has no default model', demoView, stored, []],
    ['changes nothing if the key is not used', demoView, { ...withDefault, notices: [unused] }, []],
  ])('after the key of a provider is stored, %s', async (_, view, answer, models) => {
    const { requests, type, isClosed } = login({ auth_verify: valid, auth_set: answer }, 'anthropic', view)
    await type(['sk-secret', '\r'], isClosed, true)
    expect(requests.flatMap((each) => (each.type === 'set_model' ? [each.model] : []))).toEqual(models)
  })

  it('stores no key that the provider refuses', async () => {
    const { requests, type, rows } = login(
      { auth_verify: { outcome: 'refused', message: 'the key is wrong' } },
      'openai',
    )
    await type(['bad', '\r'], () => rows()[1], '✗ the key is wrong')
    expect(requests.map(({ type }) => type)).toEqual(['auth_verify'])
    expect(rows()[2]).toBe('›')
  })

  it.each(['unreachable', 'unknown'])('asks before it stores a key that it could not verify: %s', async (outcome) => {
    const { requests, type, rows, isClosed } = login(
      { auth_verify: { outcome, message: 'no answer' }, auth_set: stored },
      'openai',
    )
    await type(['key', '\r'], () => rows()[1], '✗ no answer')
    expect(requests.map(({ type }) => type)).toEqual(['auth_verify'])
    await type(['\r'], isClosed, true)
    expect(requests.map(({ type }) => type)).toEqual(['auth_verify', 'auth_set'])
  })

  it('rejects an unknown provider before the user types a key', async () => {
    const { requests, type, rows } = login({ auth_list: new Failure('bad_request', 'no provider "nobody"') })
    await type(['nobody', '\r'], () => rows()[1], '✗ no provider "nobody"')
    expect(rows()[2]).toBe('› nobody')
    expect(requests).toHaveLength(1)
  })

  it('stores nothing if the answer arrives after Esc', async () => {
    const verified$ = new Subject<object>()
    const { requests, notices, type, rows, isClosed } = login({ auth_verify: verified$, auth_set: stored }, 'openai')
    await type(['key', '\r'], () => rows()[1], 'Verifying the key … · Esc cancels')
    await type(['\u001b'], isClosed, true)
    verified$.next(valid)
    verified$.complete()
    expect([requests.map(({ type }) => type), notices]).toEqual([['auth_verify'], []])
  })

  it('closes at Esc without a request', async () => {
    const { requests, type, isClosed } = login({}, 'openai')
    await type(['key', '\u001b'], isClosed, true)
    expect(requests).toHaveLength(0)
  })

  it('suggests only known providers', () => {
    expect(usualProviders.filter((name) => presets[name] === undefined)).toEqual([])
  })
})
