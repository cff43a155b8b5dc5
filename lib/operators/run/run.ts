// Runs the agent loop: turns while there are tool calls or queued inputs, between start and end.
import { EMPTY, asyncScheduler, catchError, defer, finalize, of, tap, using } from 'rxjs'
import type { Observable, Unsubscribable } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import { noUsage } from '../../streams/messages/message.ts'
import { modelName } from '../../streams/models/model.ts'
import type { StopSwitch } from '../../streams/rx/stop-switch.ts'
import { Failure, failureShape } from '../../streams/values/failure.ts'
import { concatSteps, loopWhile } from '../core/loop-while.ts'
import { longestDelay } from '../core/time-limits.ts'
import { createModelChoice } from '../request/model-choice.ts'
import type { RunPorts } from '../ports/run-ports.ts'
import type { StopRule } from '../../streams/ports/hooks.ts'
import { beginRule } from './own-stop-rules.ts'
import { endOfRun, endTurn, hasToolCalls, nextTurn, reduceRun, startRun } from './run-state.ts'
import type { RunEvent, RunStart, RunState } from './run-state.ts'
import { askAtEnd } from './ask-at-end.ts'
import { turn } from './turn.ts'

export interface RunOptions extends RunStart {
  readonly ports: RunPorts
  readonly stop: StopSwitch
  /** Called before `agent_settled`: from here on the session accepts the next prompt. */
  onSettled(): void
}

/**
 * Emits the run's events and completes after `agent_settled`; never fails. Turns follow one another while there are tool
 * calls or queued inputs, flat (`loopWhile`). On unsubscribe the request and all tools are unsubscribed.
 */
export function run(options: RunOptions): Observable<AgentEvent> {
  const { ports, stop, onSettled } = options
  const events$ = defer(() => {
    const startedAt = asyncScheduler.now()
    const choice = createModelChoice()
    let state = startRun(options)
    const rules = beginRules(ports.stopWhen, stop)
    const endPorts = { queues: ports.queues, stopWhen: rules }
    const reduce = (event: RunEvent): void => {
      state = reduceRun(state, event)
    }
    function playTurn(): Observable<AgentEvent> | undefined {
      const plan = nextTurn(state, ports.queues, stop)
      if (plan === undefined) return undefined
      return concatSteps<AgentEvent>(
        () =>
          turn({ ...plan, choice, ports, stop }).pipe(
            tap((event) => {
              reduce(event)
            }),
            catchError(recordFailure(reduce)),
          ),
        () => {
          state = endTurn(state, endPorts, stop)
          const willContinue = nextTurn(state, ports.queues, stop) !== undefined
          return of(turnEnd(state, { willContinue, role: choice.role() }), ...state.warnings)
        },
      )
    }
    const askHook$ = askAtEnd({ ports, stop })
    const last$ = lastStep(ports)
    return concatSteps<AgentEvent>(
      () => of(agentStart(options)),
      () => loopWhile(() => playTurn() ?? askHook$(state) ?? last$(state)),
      () => of(agentEnd(state, stop, asyncScheduler.now() - startedAt)),
      () => {
        onSettled()
        return of({ type: 'agent_settled' })
      },
    ).pipe(
      finalize(() => {
        for (const rule of rules) rule.end?.()
      }),
    )
  })
  return using(
    () => startWallClock(ports, stop),
    () => events$,
  )
}

/** Of one run: the last step, once behind each turn that may be the last, because an input that comes meanwhile gets a turn. */
function lastStep({ lastly }: RunPorts): (state: RunState) => Observable<AgentEvent> | undefined {
  let played: number | undefined
  return ({ turns }) => {
    if (lastly === undefined || played === turns) return undefined
    played = turns
    return lastly()
  }
}

/** The rules for this run. A rule that cannot begin stops it as an error. */
function beginRules(rules: readonly StopRule[], stop: StopSwitch): readonly StopRule[] {
  return rules.flatMap((rule) => {
    try {
      return [beginRule(rule)]
    } catch (error) {
      const { code, message } = Failure.from(error)
      stop.stop('error', new Failure(code, `The stop rule ${rule.name} failed: ${message}`, { cause: error }))
      return []
    }
  })
}

/** A turn fails after its last event: the run then ends. */
function recordFailure(reduce: (event: RunEvent) => void): (thrown: unknown) => Observable<never> {
  return (thrown) => {
    reduce({ type: 'answer_failed', failure: Failure.from(thrown) })
    return EMPTY
  }
}

/** Stops the run when its time is over. The timer ends with the run. */
function startWallClock({ wallClockMs }: RunPorts, stop: StopSwitch): Unsubscribable | undefined {
  if (wallClockMs === 0) return undefined
  if (!(wallClockMs > 0 && wallClockMs <= longestDelay)) {
    stop.stop('error', wallClockFailure(wallClockMs)) // the timer would fire at once (docs/design/rxjs.md#20)
    return undefined
  }
  return asyncScheduler.schedule(() => {
    stop.stop('wall_clock_timeout')
  }, wallClockMs)
}

function wallClockFailure(limit: number): Failure {
  return new Failure('bad_request', `A wall-clock limit of ${limit} ms is not between 0 and ${longestDelay}`)
}

/** If the settings cannot be read, the run stops before its first request. */
function agentStart({ prompt, ports, stop }: RunOptions): AgentEvent {
  try {
    const { model, thinkingLevel } = ports.settings()
    const { headEntryId } = ports.conversation
    return {
      type: 'agent_start',
      model: modelName(model),
      tools: ports.activeTools().map(({ name }) => name),
      thinkingLevel,
      ...(prompt === undefined && headEntryId !== null ? { resumedFrom: headEntryId } : {}),
    }
  } catch (error) {
    stop.stop('error', Failure.from(error))
    return { type: 'agent_start', model: 'unknown', tools: [], thinkingLevel: 'off' }
  }
}

interface TurnFacts {
  readonly willContinue: boolean
  /** Of the request's model. */
  readonly role: string | undefined
}

function turnEnd({ turn }: RunState, { willContinue, role }: TurnFacts): AgentEvent {
  return {
    type: 'turn_end',
    turnId: turn.turnId,
    messageEntryId: turn.messageEntryId ?? null,
    toolResultEntryIds: turn.results.map(({ entryId }) => entryId),
    usage: turn.message?.usage ?? noUsage,
    hasToolCalls: hasToolCalls(turn),
    willContinue,
    ...(role === undefined || role === 'default' || turn.message === undefined ? {} : { role }),
  }
}

function agentEnd(state: RunState, stop: StopSwitch, durationMs: number): AgentEvent {
  const { terminationReason, stopRule, failure } = endOfRun(state, stop)
  return {
    type: 'agent_end',
    totalTurns: state.turns,
    usage: state.usage,
    durationMs: Math.max(0, durationMs), // the system's clock may have been set back
    terminationReason,
    ...(stopRule === undefined ? {} : { stopRule }),
    ...(failure === undefined ? {} : { error: failureShape(failure) }),
  }
}
