// Tests the first lines of the screen.
import { NEVER, firstValueFrom } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { firstScreen } from '../../../../app/ui/session/first-screen.ts'
import { openNew, openSession } from '../../../../app/ui/session/open-session.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import { fakeUi } from '../../../support/fake-ui.ts'

const opened = { header: { cwd: '/nowhere/project' }, model: { provider: 'openai', id: 'gpt-5' } } as Parameters<
  typeof firstScreen
>[1]

async function shown(list: unknown): Promise<string> {
  const { ui } = fakeUi({
    answers: { auth_list: list, get_state: { approvalMode: 'writes' }, policy_explain: { sandboxed: true } },
  })
  const input = await firstValueFrom(firstScreen(ui, opened, {}), { defaultValue: undefined })
  return input?.type === 'welcome' ? [input.title, ...input.lines].join('\n') : ''
}

const listOf = (key: object) => ({ providers: [{ provider: 'openai', keys: [{ kind: 'key', used: true, ...key }] }] })

describe('the first screen', () => {
  it('names version, model, key, folder and how to stop, and no server [SCREEN-first]', async () => {
    const text = await shown(listOf({ from: 'environment', name: 'OPENAI_API_KEY', tail: 'abcd' }))
    expect(text).toBe(
      [
        'rxpi 0.2.0 · openai/gpt-5 · key from OPENAI_API_KEY',
        '/nowhere/project',
        'Tools work in a sandbox; leaving it asks you (/approve)',
        'Stop a run with Esc, take its changes back with /undo; ? shows the keys',
      ].join('\n'),
    )
    expect(text).not.toMatch(/server|socket/)
  })

  it.each([
    [{ from: 'keychain' }, 'key from the keychain'],
    [{ from: 'file' }, 'key stored by rxpi'],
    [{ from: 'models' }, 'key from models.json'],
    [{ from: 'environment' }, 'key from the environment'],
    [{ from: 'environment', name: 'OPENAI_API_KEY', ofServer: true }, "key from OPENAI_API_KEY of the server's start"],
  ])('names the source of a key: %o', async (key, words) => {
    expect(await shown(listOf(key))).toContain(`openai/gpt-5 · ${words}\n`)
  })

  it.each([
    ['ask', true, 'Changes and commands ask you each time (/approve)'],
    ['writes', false, 'No sandbox here: changes and commands ask you (/approve)'],
    ['auto', true, 'Tools work in a sandbox; leaving it asks you (/approve)'],
    ['auto', false, 'Nothing asks, and there is no sandbox: tools have your rights (/approve)'],
  ])('says what asks in the mode %s, sandboxed: %s [SCREEN-first]', async (approvalMode, sandboxed, line) => {
    const { ui } = fakeUi({ answers: { get_state: { approvalMode }, policy_explain: { sandboxed } } })
    expect(await firstValueFrom(firstScreen(ui, opened, {}), { defaultValue: undefined })).toMatchObject({
      lines: ['/nowhere/project', line, expect.anything()],
    })
  })

  it('names no key if none is used, or the server does not answer in time', async () => {
    vi.useFakeTimers()
    const [refused, late] = [shown(new Failure('bad_request', 'x')), shown(NEVER)]
    await vi.advanceTimersByTimeAsync(1_000)
    vi.useRealTimers()
    for (const text of [await refused, await late]) expect(text).toMatch(/openai\/gpt-5\n/)
  })

  it('says that there is no model, asks for no key, and keeps the rest [MODEL-none]', async () => {
    const { ui, requests } = fakeUi()
    const input = await firstValueFrom(firstScreen(ui, { ...opened, model: null }, {}), { defaultValue: undefined })
    expect(requests.map(({ type }) => type)).not.toContain('auth_list')
    expect(input).toMatchObject({
      title: 'rxpi 0.2.0 · no model: /login signs in or stores a key, /model chooses one',
      lines: ['/nowhere/project', expect.stringContaining('/approve'), expect.stringContaining('Esc')],
    })
  })

  it.each(['new', 'abcdefghij23'])(
    'stands above the first session if that is chosen from a list: %s',
    async (which) => {
      const answers = { auth_list: listOf({ from: 'file' }), new_session: opened, open_session: opened }
      const { ui, notices } = fakeUi({ answers })
      await firstValueFrom(which === 'new' ? openNew(ui) : openSession(ui, which), { defaultValue: undefined })
      expect(notices).toEqual([expect.objectContaining({ type: 'welcome' })])
    },
  )

  it('does not come again with a later session', async () => {
    const view = { ...emptyView(), session: { id: 'abcdefghij23', cwd: '/p', title: '' } }
    const { ui, notices } = fakeUi({ view, answers: { open_session: opened } })
    await firstValueFrom(openSession(ui, 'abcdefghij33'), { defaultValue: undefined })
    expect(notices).toEqual([])
  })
})
