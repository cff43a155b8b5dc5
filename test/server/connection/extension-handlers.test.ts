// Tests that clients get everything that the extensions of a session show.
import { firstValueFrom, of } from 'rxjs'
import { expect, it } from 'vitest'
import { extensionHandlers } from '../../../lib/server/connection/extension-handlers.ts'
import type { RequestContext } from '../../../lib/server/connection/request-context.ts'
import type { ExtensionUi } from '../../../lib/streams/commands/extension-ui-commands.ts'

function shownTo(ui: ExtensionUi | undefined): Promise<unknown> {
  const session = { ...(ui !== undefined && { extensionUi: () => ui }) }
  const context = { sessions: { opened: () => of({ session }) } } as unknown as RequestContext // the part that is read
  const answer$ = extensionHandlers.get_extension_ui({ type: 'get_extension_ui', session: 'one' }, context)
  return firstValueFrom(answer$, { defaultValue: undefined })
}

it.each<readonly [string, ExtensionUi]>([
  ['the lists alone', { statuses: [], notices: [], keys: [], themes: [] }],
  [
    'commands, and what renderers draw',
    {
      statuses: [{ extension: 'x', key: 'x', text: 'one' }],
      notices: [{ extension: 'x', level: 'info', text: 'early', seq: 1 }],
      keys: [{ extension: 'x', key: 'alt+g', command: 'greet', description: 'Greets' }],
      themes: [{ extension: 'x', name: 'sea', base: 'dark', colours: {} }],
      commands: [{ extension: 'x', name: 'greet' }],
      renders: ['cost'],
      rendersTools: ['read'],
      rendersMessages: ['user'],
    },
  ],
])('get_extension_ui has %s', async (_, ui) => {
  expect(await shownTo(ui)).toEqual({ result: ui })
})

it('get_extension_ui is empty without extensions', async () => {
  expect(await shownTo(undefined)).toEqual({ result: { statuses: [], notices: [], keys: [], themes: [] } })
})

it.each([
  ['those that run', () => of(['checksum']), ['checksum']],
  ['nothing without extensions', undefined, []],
])('reload answers with the names of %s [COMMAND-reload]', async (_, reload$, extensions) => {
  const session = { ...(reload$ !== undefined && { reload: reload$ }) }
  const context = { sessions: { opened: () => of({ session }) } } as unknown as RequestContext // the part that is read
  const answer$ = extensionHandlers.reload({ type: 'reload', session: 'one' }, context)
  expect(await firstValueFrom(answer$, { defaultValue: undefined })).toEqual({ result: { extensions } })
})
