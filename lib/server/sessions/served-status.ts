// What an open session is now, as `get_state` answers it.
import { sessionStatus } from '../../services/stored/session-status.ts'
import type { ResultOf } from '../../streams/commands/command.ts'
import { modelName } from '../../streams/models/model.ts'
import type { ServedSession } from '../feed/served-session.ts'

export function servedStatus({ session, header, opened: { readOnly } }: ServedSession): ResultOf<'get_state'> {
  const { model, thinkingLevel, activeTools, isVerified: verified } = session
  const chosen = { model: modelName(model), thinkingLevel, activeTools: activeTools.map(({ name }) => name) }
  return sessionStatus({
    header,
    state: session.state$.value,
    open: true,
    verified,
    // no request goes to one that is only watched: its log alone says what its requests went to
    ...(readOnly === undefined ? { chosen } : { readOnly }),
  })
}
