// Tests the texts that return to the editor: each one arrives, however few frames are drawn.
import { stripVTControlCharacters } from 'node:util'
import type { ReactElement } from 'react'
import { NEVER, Subject } from 'rxjs'
import { afterEach, expect, it } from 'vitest'
import { sendInput } from '../../../../app/ui/composer/send-input.ts'
import { SessionComposer } from '../../../../app/ui/composer/session-composer.tsx'
import { useBehavior } from '../../../../app/ui/hooks/use-behavior.ts'
import { UiContext, useUi } from '../../../../app/ui/hooks/use-ui.ts'
import { Keyboard } from '../../../../app/ui/keys/keyboard.tsx'
import { createUi } from '../../../../app/ui/screen/create-ui.ts'
import type { RunningUi } from '../../../../app/ui/screen/create-ui.ts'
import type { OpenedInput } from '../../../../app/ui/view/view-input.ts'
import type { ReconnectingClient } from '../../../../lib/server/client/reconnecting-client.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import { cleanup, render } from '../../../support/ink-screen.ts'

afterEach(cleanup)

function Drawn(): ReactElement {
  const view = useBehavior(useUi().view$)
  const size = { columns: 40, rows: 4, listRows: 4, hasRules: false, surfaceRows: 0 }
  return <SessionComposer view={view} {...size} onAction={() => undefined} />
}

/** The lines of the editor. */
function editorOf(ui: RunningUi): () => readonly string[] {
  const { lastFrame } = render(
    <UiContext value={ui}>
      <Keyboard>
        <Drawn />
      </Keyboard>
    </UiContext>,
  )
  return () =>
    stripVTControlCharacters(lastFrame() ?? '')
      .split('\n')
      .map((line) => line.trim())
}

it('returns every input of an opening that fails', async () => {
  const client = { request: () => NEVER, events$: () => NEVER, connection$: NEVER } as unknown as ReconnectingClient
  const ui = createUi(client, { cwd: '/nowhere', env: {} })
  const running = ui.runs$.subscribe()
  const editor = editorOf(ui)
  const opening$ = new Subject<OpenedInput['opened']>()
  ui.open(opening$)
  for (const text of ['one', 'two', 'three']) sendInput(ui, { text, images: [] }, 'steer')
  opening$.error(new Failure('storage', 'The disk is full'))
  await expect.poll(editor, { timeout: 10_000 }).toEqual(['› one', 'two', 'three'])
  expect(ui.now().drafts).toEqual([{ text: '', revision: 3 }])
  running.unsubscribe()
})
