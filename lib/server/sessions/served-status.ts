// Describes an open session: the result of `get_state`.
import type { ResultOf } from '../../streams/commands/command.ts'
import { modelName } from '../../streams/models/model.ts'
import { buildSessionStatus } from '../../services/stored/build-session-status.ts'
import type { ServedSession } from '../feed/served-session.ts'

/** The result of `get_state` for an open session. */
export function servedStatus({ session, header, opened: { readOnly } }: ServedSession): ResultOf<'get_state'> {
  const { model, unusable, thinkingLevel, activeTools, approvalMode, scenario, isVerified: verified } = session
  const chosen = {
    ...(unusable === undefined ? { model: modelName(model) } : {}),
    thinkingLevel,
    activeTools: activeTools.map(({ name }) => name),
    ...(approvalMode === undefined ? {} : { approvalMode }),
    ...(scenario === undefined ? {} : { scenario }),
  }
  return buildSessionStatus({
    header,
    state: session.state$.value,
    open: true,
    verified,
    // a followed session sends no requests here: its log alone has its model
    ...(readOnly === undefined ? { chosen } : { readOnly }),
  })
}
