// Checks what a module of pi does across sessions: a new one, a copy, and the text of a client's input.
import { EMPTY, firstValueFrom, of } from 'rxjs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSession, memoryStore } from '../../../lib/index.ts'
import type { Session } from '../../../lib/index.ts'
import { scripted, scriptedModel } from '../../../lib/testing/index.ts'
import { piExtension } from '../../../lib/extensions/pi/pi-extension.ts'

type Functions = Record<string, (...args: unknown[]) => unknown>
type Context = Functions & { ui: Functions; sessionManager: Functions }

interface Sessions {
  /** Of the UI: its screen, and the sessions that it opened. */
  readonly opened: Session[]
  readonly texts: unknown[]
  readonly notices: string[]
  command(text: string): Promise<unknown>
}

/** A client that shows one session after another, as the UI does. */
function client(act: (context: Context, args: string) => unknown, hasScreen = true): Sessions {
  const store = memoryStore()
  const opened: Session[] = []
  const texts: unknown[] = []
  const notices: string[] = []
  const module = (pi: Functions): void => {
    pi['registerCommand']?.('act', { handler: (args: string, context: Context) => act(context, args) })
  }
  const open = (sessionId?: string): void => {
    const session = createSession({
      cwd: import.meta.dirname,
      model: { model: scriptedModel, provider: scripted([{ text: 'One.' }, { text: 'Two.' }]) },
      approve: 'auto',
      store,
      ...(sessionId !== undefined && { sessionId }),
      extensions: [piExtension(module, { name: 'own', path: '/own.ts' })],
    })
    opened.push(session)
    onTestFinished(() => firstValueFrom(session.close(), { defaultValue: undefined }))
    if (hasScreen) session.surfaces?.draw({ size$: of({ columns: 40, rows: 10 }) }).subscribe()
    session.events().subscribe((event) => {
      if (event.type === 'warning' || event.type === 'ui_request') notices.push(JSON.stringify(event))
    })
    session.events$.subscribe((event) => {
      if (event.type !== 'status') return
      const context = (event.context ?? {}) as { text?: string; keepTyped?: boolean; session?: string | null }
      if (event.code === 'extension_editor') texts.push([opened.indexOf(session), context.text, context.keepTyped])
      if (event.code === 'extension_open') void leave(session).then(() => open(context.session ?? undefined))
    })
  }
  open()
  const command = (text: string): Promise<unknown> =>
    firstValueFrom((opened.at(-1) as Session).send({ type: 'prompt', text }), { defaultValue: undefined })
  return { opened, texts, notices, command }
}

/** A client says which session it leaves, while the command that asked for the other one is on. */
function leave(session: Session): Promise<unknown> {
  return firstValueFrom(session.checkLeave?.({ type: 'switch', to: 'new' }) ?? EMPTY, { defaultValue: undefined })
}

test('newSession resolves when the client has opened it, and its work goes on there', async () => {
  const ids: unknown[] = []
  const { opened, texts, command } = client(async (context) => {
    const withSession = async (other: Context): Promise<void> => {
      other.ui['setEditorText']?.('handed over')
      ids.push(other.sessionManager['getSessionId']?.(), typeof other['sendUserMessage'])
      await other['sendUserMessage']?.('go on')
    }
    ids.push(await context['newSession']?.({ parentSession: 'x', withSession }))
  })
  await command('/act')
  await vi.waitFor(() => expect(texts).toEqual([[1, 'handed over', false]]), { timeout: 10_000 })
  expect(ids).toHaveLength(3)
  expect(ids).toEqual(expect.arrayContaining([{ cancelled: false }, opened[1]?.id, 'function']))
  await vi.waitFor(() => expect(opened[1]?.state$.value.entries.size).toBeGreaterThan(0), { timeout: 10_000 })
  expect(opened[0]?.state$.value.entries.size).toBe(0)
})

test('fork copies the branch before an entry, and clients open the copy', async () => {
  const { opened, command } = client((context) => {
    const entries = context.sessionManager['getEntries']?.() as { id: string }[] | undefined
    return context['fork']?.(entries?.[0]?.id, { position: 'at' })
  })
  await command('Hello')
  await vi.waitFor(() => expect(opened[0]?.state$.value.running).toBeUndefined(), { timeout: 10_000 })
  await command('/act')
  await vi.waitFor(() => expect(opened).toHaveLength(2), { timeout: 10_000 })
  await vi.waitFor(() => expect(opened[1]?.state$.value.entries.size).toBe(1), { timeout: 10_000 })
})

test('without a client that draws a session is refused by name, and a text is a notice', async () => {
  const refused = client((context) => context['newSession']?.(), false)
  await expect(refused.command('/act')).rejects.toThrow('ctx.newSession of pi is not available in rxpi: no client')
  expect(refused.opened).toHaveLength(1)
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const { texts, notices, command } = client((context) => context.ui['setEditorText']?.('a text'), false)
  await command('/act')
  await vi.advanceTimersByTimeAsync(5_100)
  expect(texts).toEqual([])
  expect(notices.join('\n')).toContain('"text":"a text"')
})

test('a text is pasted before what is typed', async () => {
  const { texts, command } = client((context, args) => context.ui['pasteToEditor']?.(args))
  await command('/act some')
  await vi.waitFor(() => expect(texts).toEqual([[0, 'some', true]]), { timeout: 10_000 })
})
