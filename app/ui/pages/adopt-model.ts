// Gives a session without a usable model the default model of a provider after a login.
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { askServer } from '../commands/ask-server.ts'
import type { Ui } from '../contract/ui.ts'

type Stored = Pick<ResultOf<'auth_set'>, 'defaultModel'> & Partial<Pick<ResultOf<'auth_set'>, 'notices'>>

/** Sends `set_model` if the session has no model, or the demo model, and the key is in use; returns the words for it. */
export function adoptModel(ui: Ui, { defaultModel, notices = [] }: Stored): string | undefined {
  const { session, model } = ui.now()
  const isWanted = (model === '' || model.startsWith('demo/')) && notices.every(({ code }) => code !== 'key_unused')
  if (session === undefined || !isWanted || defaultModel === undefined) return undefined
  askServer(ui, { type: 'set_model', session: session.id, model: defaultModel })
  return `this session now uses ${defaultModel}, /model chooses another`
}
