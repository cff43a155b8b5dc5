// Tests what the UI shows of extensions after a lost connection.
import { Subject, asapScheduler, mergeMap, observeOn, of } from 'rxjs'
import { expect, it, onTestFinished } from 'vitest'
import { sessionInputs } from '../../../../app/ui/session/session-inputs.ts'
import { foldView } from '../../../../app/ui/view/fold-view.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import { registry } from '../../../../lib/extensions/lifecycle/contribution-registry.ts'
import type { HeldSurface } from '../../../../lib/extensions/surfaces/held-surface.ts'
import { surfaceHub } from '../../../../lib/extensions/surfaces/surface-hub.ts'
import { reconnectingClient } from '../../../../lib/server/client/reconnecting-client.ts'
import { createServer } from '../../../../lib/server/create-server.ts'
import { linkedPair } from '../../../../lib/server/protocol/linked-pair.ts'
import { noExtensionUi } from '../../../../lib/streams/commands/extension-ui-commands.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import { fakeBackend } from '../../../support/fake-backend.ts'
import { fakeSession } from '../../../support/fake-session.ts'
import { resultOf } from '../../../support/result-of.ts'

const session = 'aaaaaaaaaaaa'
const wait = { timeout: 10_000 }

/** A session in which an extension shows a text, and a client whose connection can be cut. */
function extensionScene() {
  const surfaces = registry<HeldSurface>()
  const invalid$ = new Subject<void>()
  const text = { shown: 'one', label: 'first' }
  const component = { placement: 'widget', render: () => [text.shown] } as const
  const value = { id: 'w', component, invalid$, invalidate: () => invalid$.next(), end: () => undefined }
  surfaces.add({ owner: 'own', priority: 0, end$: new Subject(), value })
  const hub = surfaceHub({ list: surfaces, report: (_, __, thrown) => Failure.from(thrown), end$: new Subject() })
  const extensionUi = () => ({ ...noExtensionUi, statuses: [{ extension: 'own', key: 'k', text: text.label }] })
  const host = fakeBackend()
  host.sessionsById.set(session, Object.assign(fakeSession({ id: session }), { surfaces: hub, extensionUi }))
  const server = createServer({ host, version: '1' })
  let cut = (): void => undefined
  const client = reconnectingClient({
    baseDelayMs: 1,
    hello: { client: 'ui', ui: true },
    open: () => {
      const [clientEnd, serverEnd] = linkedPair()
      server.connect(serverEnd)
      cut = () => serverEnd.close()
      return of(clientEnd)
    },
  })
  const show = (shown: string): void => {
    text.shown = shown
    invalid$.next()
  }
  return { client, text, show, cut: () => cut() }
}

it(
  'shows what extensions show after a lost connection, also what has changed meanwhile',
  { timeout: 30_000 },
  async () => {
    const { client, text, show, cut } = extensionScene()
    const opened = await resultOf(client.request({ type: 'open_session', session, cwd: '/' }))
    let view = emptyView()
    let reported = 0
    const attachments$ = new Subject<void>()
    const size = { type: 'surface_resize', session, columns: 40, rows: 20 } as const
    // as `useSurfaceSize` does, in a later tick
    attachments$
      .pipe(
        observeOn(asapScheduler),
        mergeMap(() => client.request(size)),
      )
      .subscribe()
    const following = sessionInputs(client, opened).subscribe((input) => {
      view = foldView(view, input)
      if (view.attachments === reported) return
      reported = view.attachments
      attachments$.next()
    })
    onTestFinished(() => {
      following.unsubscribe()
      client.close()
    })
    const shown = () => [
      view.surfaces.map(({ lines }) => lines.join()),
      view.extensions.statuses.map((each) => each.text),
    ]
    await expect.poll(shown, wait).toEqual([['one'], ['first']])
    text.label = 'second'
    cut()
    await expect.poll(() => reported, wait).toBe(2)
    show('two')
    await expect.poll(shown, wait).toEqual([['two'], ['second']])
  },
)
