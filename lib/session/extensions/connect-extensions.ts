// Connects the extensions of a session to it once it is open.
import { EMPTY, auditTime, concat, defer, filter, ignoreElements, merge, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ExtensionSet } from '../../extensions/lifecycle/set-contract.ts'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { Scope } from '../../streams/rx/scope.ts'
import type { Session } from '../contract/session.ts'
import { validateQuestion } from '../questions/check-request.ts'
import type { UiRequests } from '../questions/ui-requests.ts'
import type { SessionBus } from '../pipeline/pipeline.ts'
import type { PhaseTransitions } from '../scenarios/phase-transitions.ts'
import type { ToolList } from '../contract/tool-list-port.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { SessionParts } from '../contract/session-parts.ts'
import type { ToolChanges } from '../tools/tool-settings.ts'
import { completeWithModel } from './complete-with-model.ts'
import { extensionTools } from './extension-tools.ts'
import { callHooks, notifyHooks } from './run-extension-hooks.ts'

/** Parts that an opening has wired. */
export interface WiredParts {
  readonly core: {
    readonly parts: Pick<SessionParts, 'log' | 'options' | 'resolveModel'>
    readonly toolList: ToolList
    readonly requests: Pick<UiRequests, 'ask' | 'attended$' | 'form'>
    readonly transitions: Pick<PhaseTransitions, 'change'>
    readonly settings: Pick<ToolChanges, 'setBaseTools'> & { current(): ProviderModel }
  }
  readonly initial: Pick<SessionState, 'seq'>
  readonly pipeline: Pick<SessionBus, 'publish'>
  readonly life: Scope
}

interface ConnectionParts extends WiredParts {
  readonly set: ExtensionSet
  readonly session: Session
}

/** Nothing is connected to a session whose log takes no lines. */
export function connectExtensions(set: ExtensionSet, session: Session, wired: WiredParts): void {
  const { core, pipeline, life } = wired
  if (core.parts.log.readOnly !== undefined) return
  const { events$ } = session
  set.connect({
    event$: events$,
    state: () => session.state$.value,
    send: (command, extension) =>
      command.type === 'set_scenario_phase' ? core.transitions.change(command, extension) : session.send(command),
    ask: (question) => session.ask(question),
    publish: (event) => {
      pipeline.publish({ event })
    },
    model: () => session.model,
    activeTools: () => session.activeTools,
    registeredTools: () => session.registeredTools,
    people: {
      attended$: core.requests.attended$,
      isAttended: () => core.requests.form() !== undefined,
      ask: (question) => defer(() => core.requests.ask({ ...validateQuestion(question), source: 'core' })),
    },
    recorded: (customType) => recordedCustom(session, customType),
    complete: (request) =>
      completeWithModel({ core, sessionId: session.id, publish: (event) => pipeline.publish({ event }) }, request),
  })
  const parts = { ...wired, set, session }
  publishLeftOut(parts)
  merge(observed(set, events$), started(parts), toolChanges(parts)).pipe(life.bind()).subscribe()
}

/** The client opened the session with other tools: that those of the extensions stay off is in the log, for the next opening. */
function publishLeftOut({ set, session, pipeline }: ConnectionParts): void {
  const names = (tools: readonly AnyTool[]): string[] => tools.map(({ name }) => name)
  const [active, registered] = [names(session.activeTools), names(session.registeredTools)]
  const { switchedOff = [] } = session.state$.value
  const leftOut = names(extensionTools(set)).filter(
    (name) => registered.includes(name) && !active.includes(name) && !switchedOff.includes(name),
  )
  if (leftOut.length === 0) return
  pipeline.publish({
    event: { type: 'active_tools_change', from: [...active, ...leftOut], to: active, by: 'client' },
  })
}

function* recordedCustom(session: Session, customType: string): Generator<EventNamed<'custom'>> {
  for (const { event } of session.logged()) if (event.type === 'custom' && event.customType === customType) yield event
}

/** Calls the hooks that only observe. Nothing waits for them; each has its time limit. */
function observed(set: ExtensionSet, event$: Observable<AgentEvent>): Observable<never> {
  return event$.pipe(
    filter(({ type }) => observedEvents.has(type)), // most events are deltas
    mergeMap((event) => observe(set, event)),
    ignoreElements(),
  )
}

const observedEvents: ReadonlySet<string> = new Set(['message_end', 'agent_settled', 'head_moved', 'model_change'])

function observe(set: ExtensionSet, event: AgentEvent): Observable<unknown> {
  switch (event.type) {
    case 'message_end':
      return notifyHooks(set, 'message_end', event)
    case 'agent_settled':
      return notifyHooks(set, 'agent_settled', event)
    case 'head_moved':
      return notifyHooks(set, 'branch', event)
    case 'model_change':
      return notifyHooks(set, 'model_select', event)
    default:
      return EMPTY
  }
}

function started({ set, session, initial }: ConnectionParts): Observable<unknown> {
  const isResumed = initial.seq > 0
  const { parent } = session.header
  return concat(
    defer(() => callHooks(set, 'session_start', { reason: isResumed ? 'open' : 'new' })),
    defer(() =>
      isResumed || parent === undefined ? EMPTY : callHooks(set, 'session_switch', { previous: parent.sessionId }),
    ),
    set.activated$.pipe(mergeMap((owner) => callHooks(set, 'session_start', { reason: 'reload' }, owner))),
  )
}

/** An extension that is loaded anew changes its tools once. If a layer of the tools fails, they stay as they were. */
function toolChanges({ set, core, pipeline }: ConnectionParts): Observable<never> {
  const { toolList, settings } = core
  let own = extensionTools(set)
  return set.contributions.tools.changed$.pipe(
    auditTime(0),
    mergeMap(() => {
      const others = toolList.inputs.base.filter((tool) => !own.includes(tool))
      own = extensionTools(set)
      try {
        const event = settings.setBaseTools([...own, ...others])
        if (event !== undefined) pipeline.publish({ event })
      } catch (thrown) {
        set.warn(`The tools of the extensions did not change: ${Failure.from(thrown).message}`)
      }
      return EMPTY
    }),
  )
}
