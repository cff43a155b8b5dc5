// A run is one `agent_start`, its turns, one `agent_end` and one `agent_settled`, whatever happens in it.
import { asyncScheduler, concat, defer, of, timer, using } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentEvent, FailureShape, TerminationReason } from '../streams/event.ts'
import { Failure } from '../streams/failure.ts'
import { noUsage } from '../streams/message.ts'
import type { Usage } from '../streams/message.ts'
import { modelName } from '../streams/model.ts'
import type { StopSwitch } from '../streams/stop-switch.ts'
import { addUsage } from '../streams/usage.ts'
import { longestDelay } from './idle-limit.ts'
import { loopWhile } from './loop-while.ts'
import type { QueueName } from './queues.ts'
import type { RunInput, RunPorts } from './run-ports.ts'
import type { FinishedTurn, StopRule } from './stop-when.ts'
import { turn } from './turn.ts'
import type { TurnOutcome } from './turn.ts'

export interface RunOptions {
  readonly prompt: RunInput
  readonly ports: RunPorts
  readonly stop: StopSwitch
  /** Told before `agent_settled`: from here on the session takes the next prompt. */
  settled(): void
}

/**
 * Emits the run's events and completes after `agent_settled`; never fails. Turns follow one another while there are tool
 * calls or queued inputs, flat (`loopWhile`). On unsubscribe everything under way is unsubscribed and nothing more is told.
 */
export function run({ prompt, ports, stop, settled }: RunOptions): Observable<AgentEvent> {
  const turns$ = defer(() => {
    const startedAt = asyncScheduler.now()
    const course = newCourse(ports, stop)
    return concat(
      defer(() => of(agentStart(ports, stop))),
      loopWhile(() => {
        const queue = course.nextQueue()
        if (queue === undefined) return undefined
        const turnIndex = course.turns
        return turn({
          turnIndex,
          ...(turnIndex === 0 ? { prompt } : {}),
          queue,
          hasQuestion: turnIndex === 0 || course.hasResults,
          usage: course.lastUsage,
          ports,
          stop,
          finished: course.finished,
        })
      }),
      defer(() => of(agentEnd(course, asyncScheduler.now() - startedAt))),
      defer(() => {
        settled()
        return of({ type: 'agent_settled' } satisfies AgentEvent)
      }),
    )
  })
  return using(
    () => wallClock(ports, stop),
    () => turns$,
  )
}

function wallClock({ wallClockMs }: RunPorts, stop: StopSwitch) {
  if (wallClockMs === 0) return
  if (!(wallClockMs > 0 && wallClockMs <= longestDelay)) {
    stop.stop('error', refusedWallClock(wallClockMs)) // the timer would fire at once (RXJS.md 20)
    return
  }
  return timer(wallClockMs).subscribe(() => {
    stop.stop('wall_clock_timeout')
  })
}

function refusedWallClock(limit: number): Failure {
  return new Failure('bad_request', `A wall-clock limit of ${limit} ms is not between 0 and ${longestDelay}`)
}

/** Settings that cannot be had stop the run before its first request. */
function agentStart(ports: RunPorts, stop: StopSwitch): AgentEvent {
  try {
    const { model, tools, thinkingLevel } = ports.settings()
    return { type: 'agent_start', model: modelName(model), tools: tools.map(({ name }) => name), thinkingLevel }
  } catch (error) {
    stop.stop('error', Failure.from(error))
    return { type: 'agent_start', model: 'unknown', tools: [], thinkingLevel: 'off' }
  }
}

/** Where a run stands between its turns. */
interface Course {
  readonly turns: number
  readonly usage: Usage
  readonly lastUsage: Usage | undefined
  /** True where the last turn left tool results to be answered. */
  readonly hasResults: boolean
  /** The queue that the next turn takes from; undefined: the run ends. */
  nextQueue(): QueueName | undefined
  finished(outcome: TurnOutcome): { readonly willContinue: boolean }
  end(): RunEnd
}

interface RunEnd {
  readonly terminationReason: TerminationReason
  readonly stopRule?: string
  readonly failure?: Failure
}

function newCourse(ports: RunPorts, stop: StopSwitch): Course {
  let turns = 0
  let usage = noUsage
  let last: TurnOutcome | undefined
  let ended: RunEnd | undefined

  const nextQueue = (): QueueName | undefined => {
    if (stop.reason !== undefined && turns > 0) return undefined
    if (ended !== undefined) return undefined
    if (turns === 0 || last?.hasToolCalls === true || ports.queues.size('steering') > 0) return 'steering'
    return ports.queues.size('followUp') > 0 ? 'followUp' : undefined
  }
  return {
    get turns() {
      return turns
    },
    get usage() {
      return usage
    },
    get lastUsage() {
      return last?.answer?.message.usage
    },
    get hasResults() {
      return last?.hasToolCalls === true
    },
    nextQueue,
    finished: (outcome) => {
      turns += 1
      last = outcome
      usage = addUsage(usage, outcome.answer?.message.usage ?? noUsage)
      ended = endOf(outcome)
      if (ended === undefined && nextQueue() !== undefined)
        ended = ruledEnd(ports.stopWhen, finishedTurn(outcome, turns, usage))
      return { willContinue: nextQueue() !== undefined }
    },
    end: () => stoppedEnd(stop) ?? ended ?? { terminationReason: 'completed' },
  }
}

function stoppedEnd({ reason, failure }: StopSwitch): RunEnd | undefined {
  if (reason === undefined) return undefined
  return { terminationReason: reason, ...(failure === undefined ? {} : { failure }) }
}

/** How the run ends with this turn, by what the turn itself was. */
function endOf({ answer, results }: TurnOutcome): RunEnd | undefined {
  if (answer?.failure !== undefined) {
    const { failure } = answer
    return { terminationReason: failure.data.kind === 'stall' ? 'idle_timeout' : 'error', failure }
  }
  if (answer?.message.stopReason === 'error') return { terminationReason: 'error' }
  if (results.length > 0 && results.every(({ terminate }) => terminate)) return { terminationReason: 'terminated' }
  return undefined
}

function ruledEnd(rules: readonly StopRule[], turn: FinishedTurn): RunEnd | undefined {
  for (const rule of rules) {
    try {
      if (rule.matches(turn)) return { terminationReason: rule.reason ?? 'stopped', stopRule: rule.name }
    } catch (error) {
      const message = `The stop rule ${rule.name} failed: ${Failure.from(error).message}`
      return { terminationReason: 'error', failure: new Failure('internal', message, { cause: error }) }
    }
  }
  return undefined
}

function finishedTurn({ answer, results }: TurnOutcome, turns: number, usage: Usage): FinishedTurn {
  return { turns, usage, message: answer?.message, results: results.map(({ message }) => message) }
}

function agentEnd(course: Course, durationMs: number): AgentEvent {
  const { terminationReason, stopRule, failure } = course.end()
  return {
    type: 'agent_end',
    totalTurns: course.turns,
    usage: course.usage,
    durationMs,
    terminationReason,
    ...(stopRule === undefined ? {} : { stopRule }),
    ...(failure === undefined ? {} : { error: shapeOf(failure) }),
  }
}

/** A Failure as events carry it. */
export function shapeOf({ code, message, data }: Failure): FailureShape {
  return { code, message, ...(Object.keys(data).length === 0 ? {} : { data: { ...data } }) }
}
