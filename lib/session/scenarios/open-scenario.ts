// Opens the scenario of a session on its parts: the phase of the log, its transitions, and its notes.
import { EMPTY, concat, defer, delay, take, throwIfEmpty, merge, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import { modelName } from '../../streams/models/model.ts'
import type { ContextNotes, ContextUpdate } from '../../streams/ports/context-notes.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionParts } from '../contract/session-parts.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { UiRequests } from '../questions/ui-requests.ts'
import { eventsSinceAnswer, interruptedPlan, proposeAgain } from './propose-again.ts'
import { phaseTransitions } from './phase-transitions.ts'
import type { PhaseTransitions } from './phase-transitions.ts'
import { sessionScenario } from './session-scenario.ts'
import type { PhaseSettings, SessionScenario } from './session-scenario.ts'
import type { ContextMessage } from '../../streams/messages/context-message.ts'
import { lastNoteOf } from '../../streams/messages/last-note.ts'
import type { PolicyRequest } from '../../streams/ports/policy.ts'

export interface OpenedScenario {
  readonly scenario: SessionScenario
  readonly transitions: PhaseTransitions
  /** The notes of the session with those about its phase. */
  readonly notes: Pick<ContextNotes, 'due'>
  /** A step that a tool's result asked for comes first, and then the notes: they name the phase that holds. */
  beforeNotes(notesDue: () => Observable<AgentEvent> | undefined): Observable<AgentEvent> | undefined
  /**
   * Proposes again the plan that the process took along when it ended: undefined without one. Emits warnings,
   * completes, and never fails.
   */
  proposeAgain(prompt: (text: string) => Observable<unknown>): Observable<AgentEvent> | undefined
}

export interface OpenScenarioOptions {
  readonly parts: Pick<SessionParts, 'log' | 'options' | 'resolveModel' | 'contextNotes' | 'roles'>
  readonly initial: SessionState
  readonly settings: PhaseSettings
  readonly requests: UiRequests
  readonly pipeline: Pipeline
  readonly activeRun: { readonly unsettled: { readonly runId: string } | undefined }
}

export function openScenario({ parts, initial, settings, activeRun, ...shared }: OpenScenarioOptions): OpenedScenario {
  const { options, resolveModel, contextNotes } = parts
  const scenario = sessionScenario({
    scenarios: options.scenarios,
    logged: initial.scenario,
    loggedModel: initial.model,
    hasPolicy: options.policy !== undefined,
    settings,
    roles: parts.roles,
    findModel: (name) =>
      defer(() => resolveModel?.(name) ?? EMPTY).pipe(
        take(1),
        throwIfEmpty(() => new Failure('bad_request', `This session cannot find models by name ("${name}")`)),
      ),
  })
  const asking = { ...shared, scenario, runId: () => activeRun.unsettled?.runId }
  const transitions = phaseTransitions({
    ...asking,
    modelName: () => modelName(settings.current().model),
    recorded: eventsSinceAnswer(parts.log, initial),
  })
  return {
    scenario,
    transitions,
    notes: withPhaseNotes(contextNotes, scenario),
    beforeNotes: (notesDue) => {
      const step$ = transitions.due()
      if (step$ === undefined) return notesDue()
      const notes$ = defer(() => notesDue() ?? EMPTY)
      return concat(step$, notes$)
    },
    proposeAgain: (prompt) => {
      const proposed = interruptedPlan(initial, scenario.current())
      const attended$ = shared.requests.attended$.pipe(delay(0)) // the client reads the session's events by then
      return proposed && proposeAgain({ ...asking, proposed, attended$, prompt })
    },
  }
}

const kind = 'scenario'

/** The notes of the session with those about its phase. */
export function withPhaseNotes(
  notes: ContextNotes | undefined,
  scenario: Pick<SessionScenario, 'current' | 'rules'>,
): Pick<ContextNotes, 'due'> {
  const lastOf = lastNoteOf(kind)
  return {
    due: (messages) => {
      const others$ = notes?.due(messages)
      const update = phaseUpdate(scenario, lastOf(messages))
      return update === undefined ? others$ : merge(others$ ?? EMPTY, of(update))
    },
  }
}

function phaseUpdate(
  { current, rules }: Pick<SessionScenario, 'current' | 'rules'>,
  last: ContextMessage | undefined,
): ContextUpdate | undefined {
  const phase = rules()
  if (phase === undefined) return last === undefined || last.digest === ended ? undefined : noteOf(ended, endText)
  const content = [phaseText(phase), current()?.phase.prompt ?? ''].filter((part) => part.trim() !== '').join('\n\n')
  return content === last?.content ? undefined : noteOf(`${phase.scenario}/${phase.name}`, content)
}

function noteOf(digest: string, content: string): ContextUpdate {
  return { type: 'note', note: { kind, digest, content } }
}

const ended = 'none'

const endText = 'The scenario has ended: its phase restricts nothing any more.'

function phaseText({ scenario, name, tools, capabilities, readOnly }: NonNullable<PolicyRequest['phase']>): string {
  return [
    `The session is now in the phase "${name}" of the scenario "${scenario}".`,
    ...(readOnly === true
      ? ['Only reading is allowed: changes of files and commands that change something are refused.']
      : []),
    ...(tools === undefined ? [] : [`Only these tools may be called: ${tools.join(', ') || 'none'}.`]),
    ...(capabilities === undefined
      ? []
      : [`Only tools that do this may be called: ${capabilities.join(', ') || 'nothing'}.`]),
  ].join(' ')
}
