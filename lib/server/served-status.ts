// What an open session is now, as `get_state` answers it.
import { sessionStatus } from '../session/session-status.ts'
import type { ResultOf } from '../streams/command.ts'
import { modelName } from '../streams/model.ts'
import type { ServedSession } from './served-session.ts'

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
