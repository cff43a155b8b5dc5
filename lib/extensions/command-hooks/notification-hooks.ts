// Finds when a person is to be notified: at a question, and a minute after a run.
import { EMPTY, concatMap, filter, map, merge, switchMap, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import { namesOf } from './hook-names.ts'

/** Input of `Notification`, in the words of Claude Code. */
export interface HookNotification {
  readonly notification_type: 'permission_prompt' | 'elicitation_dialog' | 'idle_prompt'
  readonly message: string
}

/** Milliseconds after a run until the person is reminded. */
const idleMs = 60_000

/** Emits for each question, and once after each run that nothing follows. Ends with the events; buffers nothing. */
export function notifications(event$: Observable<AgentEvent>): Observable<HookNotification> {
  const asks$ = event$.pipe(
    filter((event) => event.type === 'ui_request' || event.type === 'question'),
    concatMap((event) => (event.kind === 'notify' ? EMPTY : [questionNotice(event)])),
  )
  const idle$ = event$.pipe(
    filter(({ type }) => type === 'agent_settled' || type === 'agent_start'),
    switchMap(({ type }) => (type === 'agent_settled' ? timer(idleMs) : EMPTY)),
    map(() => ({ notification_type: 'idle_prompt' as const, message: 'rxpi is waiting for your input' })),
  )
  return merge(asks$, idle$)
}

function questionNotice({ kind, text, tool }: EventNamed<'ui_request' | 'question'>): HookNotification {
  if (kind !== 'approval') return { notification_type: 'elicitation_dialog', message: text }
  const name = tool === undefined ? 'a tool' : (namesOf(tool)[1] ?? tool)
  return { notification_type: 'permission_prompt', message: `rxpi needs your permission to use ${name}` }
}
