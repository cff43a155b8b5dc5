// The connection's state is shown as it is; that it was lost and is there again is said, once each.
import type { ConnectionState } from '../../../lib/server/client/reconnect.ts'
import type { View } from './view.ts'
import { withNotice } from './with-notice.ts'

export function foldConnection(view: View, state: ConnectionState): View {
  const next: View = { ...view, connection: state.status }
  switch (state.status) {
    case 'connecting':
      return next
    case 'connected': {
      if (view.connection !== 'reconnecting') return next
      const text = state.restarted
        ? 'The server was started anew; the session goes on from its log'
        : 'Connected again; nothing was missed'
      return withNotice(next, { level: 'success', text })
    }
    case 'reconnecting': {
      if (view.connection === 'reconnecting') return next
      return withNotice(next, {
        level: 'warning',
        text: 'The connection to the server was lost; trying again',
        hint: 'What is typed meanwhile stays here',
      })
    }
    case 'closed':
      return state.failure === undefined ? next : withNotice(next, { level: 'error', text: state.failure.message })
  }
}
