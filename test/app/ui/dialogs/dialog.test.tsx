// Tests a dialog that two clients of a real server see at the same time.
// The first answer counts; the other dialog closes and shows a notice.
import { stripVTControlCharacters } from 'node:util'
import { cleanup, render } from '../../../support/ink-screen.ts'
import { firstValueFrom, lastValueFrom, of, timer } from 'rxjs'
import { afterEach, expect, it, vi } from 'vitest'
import { Keyboard } from '../../../../app/ui/keys/keyboard.tsx'
import { createUi } from '../../../../app/ui/screen/create-ui.ts'
import type { RunningUi } from '../../../../app/ui/screen/create-ui.ts'
import { useBehavior } from '../../../../app/ui/hooks/use-behavior.ts'
import { UiContext } from '../../../../app/ui/hooks/use-ui.ts'
import { settleMs } from '../../../../app/ui/keys/use-settled-keys.ts'
import { Overlays } from '../../../../app/ui/screen/overlays.tsx'
import { linkedPair } from '../../../../lib/server/protocol/linked-pair.ts'
import { reconnectingClient } from '../../../../lib/server/client/reconnecting-client.ts'
import type { Server } from '../../../../lib/server/create-server.ts'
import { askingServer, askingTool } from '../../../support/asking-server.ts'

afterEach(cleanup)

function Screen({ ui }: { readonly ui: RunningUi }) {
  return <Overlays view={useBehavior(ui.view$)} columns={60} rows={20} />
}

function looking(server: Server) {
  const [clientEnd, serverEnd] = linkedPair()
  server.connect(serverEnd)
  const client = reconnectingClient({ open: () => of(clientEnd), hello: { client: 'ui', ui: true } })
  const ui = createUi(client, { cwd: '/somewhere', env: {} })
  const running = ui.runs$.subscribe()
  const shown = render(
    <UiContext value={ui}>
      <Keyboard>
        <Screen ui={ui} />
      </Keyboard>
    </UiContext>,
  )
  const text = (): string => stripVTControlCharacters(shown.lastFrame() ?? '')
  const notices = (): string[] => {
    const { finished, live } = ui.now()
    return [...finished, ...live].flatMap((item) => (item.kind === 'notice' ? [item.text] : []))
  }
  const close = (): void => {
    running.unsubscribe()
    client.close()
  }
  return { ui, client, text, notices, stdin: shown.stdin, close }
}

it('closes at the first answer of any client', async () => {
  const { server, session } = askingServer({
    script: [{ toolCalls: [{ name: 'ask' }] }, 'done'],
    tools: [askingTool({ kind: 'confirm', text: 'Delete it?' })],
  })
  const [one, other] = [looking(server), looking(server)]
  const opened = await firstValueFrom(one.client.request({ type: 'new_session', cwd: '/somewhere' }), {
    defaultValue: undefined as never,
  })
  for (const { ui } of [one, other]) ui.open(of(opened))
  await vi.waitFor(
    () => expect([one.ui.now().session?.id, other.ui.now().session?.id]).toEqual([session.id, session.id]),
    { timeout: 10_000 },
  )
  await lastValueFrom(one.client.request({ type: 'prompt', session: session.id, text: 'Go' }), {
    defaultValue: undefined,
  })
  await vi.waitFor(
    () => expect([one.text(), other.text()]).toEqual(Array(2).fill(expect.stringContaining('Delete it?'))),
    { timeout: 10_000 },
  )
  await firstValueFrom(timer(settleMs + 50), { defaultValue: 0 }) // the time in which the dialog ignores keys
  one.stdin.write('y')
  await vi.waitFor(() => expect([one.text(), other.text()]).toEqual(['', '']), 10_000)
  expect(other.notices()).toContain('Answered elsewhere: Delete it? — yes')
  expect(one.notices().join()).not.toContain('Answered')
  const messages = [...session.state$.value.entries.values()].map(({ message }) => message)
  const result = messages.find(({ role }) => role === 'toolResult')
  expect(JSON.stringify(result)).toContain('true')
  for (const each of [one, other]) each.close()
  await lastValueFrom(server.close(), { defaultValue: undefined })
})
