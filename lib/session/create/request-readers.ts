// Reads what the next request of an open session holds, and what it leaves out.
import { countContextChanges } from '../../streams/state/received-messages.ts'
import type { Session } from '../contract/session.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import { nextRequest } from '../runs/next-request.ts'
import type { SessionCore } from '../runs/session-core.ts'

export function requestReaders(
  { settings, conversation, parts: { sectionsFor } }: Pick<SessionCore, 'settings' | 'conversation' | 'parts'>,
  { state$ }: Pick<Pipeline, 'state$'>,
): Required<Pick<Session, 'nextRequest' | 'unlistedTools'>> {
  return {
    nextRequest: () => {
      const current = settings.current()
      return nextRequest({
        settings: current,
        sections: sectionsFor?.(current.tools),
        messages: conversation.modelMessages,
        changes: countContextChanges(state$.value),
        unlisted: settings.unlisted(),
      })
    },
    unlistedTools: () => settings.unlisted(),
  }
}
