// Slash command /pin: keeps the last own message when the conversation is summarised.
import type { Ui } from '../contract/ui.ts'
import { askServer, notify, withSession } from './ask-server.ts'

/** Number of the last entries in which the message is looked for. */
const searchedEntries = 100

/** @param argument `off` unpins it */
export function pin(ui: Ui, argument: string): void {
  if (argument !== '' && argument !== 'off') {
    notify(ui, '/pin takes no argument, or off; /tree pins any message with Alt-P', 'warning')
    return
  }
  withSession(ui, (session) => {
    const range = { branch: 'head', before: Number.MAX_SAFE_INTEGER, limit: searchedEntries } as const
    askServer(ui, { type: 'get_entries', session, ...range }, ({ entries }) => {
      const last = entries.findLast(({ message }) => message.role === 'user')
      if (last === undefined) notify(ui, 'There is no message of yours to pin yet', 'warning')
      else askServer(ui, { type: 'context_pin', session, entryId: last.entryId, pinned: argument === '' })
    })
  })
}
