// What people were asked is open from its `ui_request` to its `ui_resolved`; each is matched by its id.
import type { EventNamed } from '../events/event.ts'

type UiRequest = EventNamed<'ui_request'>

/** One event more: the open requests, in the order in which they came; the very list where nothing changes. */
export function foldRequests(
  requests: readonly UiRequest[],
  event: EventNamed<'ui_request' | 'ui_resolved'>,
): readonly UiRequest[] {
  if (event.type === 'ui_request') return [...requests, event]
  const index = requests.findIndex(({ requestId }) => requestId === event.requestId)
  return index === -1 ? requests : requests.toSpliced(index, 1)
}
