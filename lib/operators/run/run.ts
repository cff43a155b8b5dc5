// A run is one `agent_start`, its turns, one `agent_end` and one `agent_settled`, whatever happens in it.
import { Observable, asyncScheduler, of } from 'rxjs'
import type { AgentEvent, TerminationReason } from '../../streams/events/event.ts'
import { failureShape } from '../../streams/values/failure.ts'
import { Failure } from '../../streams/values/failure.ts'
import { noUsage } from '../../streams/messages/message.ts'
import type { ToolCall, Usage } from '../../streams/messages/message.ts'
import { modelName } from '../../streams/models/model.ts'
import type { StopSwitch } from '../../streams/rx/stop-switch.ts'
import { addUsage } from '../../streams/messages/message.ts'
import { blindRules } from './blind-rules.ts'
import { longestDelay } from '../core/idle-limit.ts'
import { loopWhile } from '../core/loop-while.ts'
import { modelChoice } from '../ports/model-choice.ts'
import type { ModelChoice } from '../ports/model-choice.ts'
import { concatSteps } from '../core/concat-steps.ts'
import type { QueueName } from '../ports/run-ports.ts'
import type { RunInput, RunPorts } from '../ports/run-ports.ts'
import { sameCalls } from './same-calls.ts'
import type { FinishedTurn, StopRule } from '../ports/run-ports.ts'
import { turn } from './turn.ts'
import type { TurnOutcome } from './turn.ts'

export interface RunOptions {
  /** Absent: the run continues from what the transcript ends with. */
  readonly prompt?: RunInput
  /** The queue whose inputs a run without a prompt begins with. Absent: it answers the transcript's end. */
  readonly take?: QueueName
  readonly ports: RunPorts
  readonly stop: StopSwitch
  /** Told before `agent_settled`: from here on the session takes the next prompt. */
  settled(): void
}

/**
 * Emits the run's events and completes after `agent_settled`; never fails. Turns follow one another while there are tool
 * calls or queued inputs, flat (`loopWhile`). On unsubscribe everything under way is unsubscribed and nothing more is told.
 */
export function run(options: RunOptions): Observable<AgentEvent> {
  const { ports, stop, settled } = options
  return new Observable((subscriber) => {
    const startedAt = asyncScheduler.now()
    const course = newCourse(options)
    subscriber.add(wallClock(ports, stop)) // it ends with the run
    concatSteps<AgentEvent>(
      () => of(agentStart(options)),
      () => loopWhile(() => nextTurn(course, options)),
      () => ports.lastly?.(),
      () => of(agentEnd(course, asyncScheduler.now() - startedAt)),
      () => {
        settled()
        return of({ type: 'agent_settled' })
      },
    ).subscribe(subscriber)
  })
}

function nextTurn(course: Course, { prompt, take, ports, stop }: RunOptions): Observable<AgentEvent> | undefined {
  const warning = course.warning()
  if (warning !== undefined) return of(warning)
  const queue = course.nextQueue()
  if (queue === undefined) return undefined
  const turnIndex = course.turns
  const isFirst = turnIndex === 0
  return turn({
    turnIndex,
    ...(isFirst && prompt !== undefined ? { prompt } : {}),
    queue,
    hasQuestion: isFirst ? take === undefined : course.hasResults,
    usage: course.lastUsage,
    choice: course.choice,
    ports,
    stop,
    finished: course.finished,
  })
}

function wallClock({ wallClockMs }: RunPorts, stop: StopSwitch) {
  if (wallClockMs === 0) return
  if (!(wallClockMs > 0 && wallClockMs <= longestDelay)) {
    stop.stop('error', refusedWallClock(wallClockMs)) // the timer would fire at once (docs/design/rxjs.md#20)
    return
  }
  return asyncScheduler.schedule(() => {
    stop.stop('wall_clock_timeout')
  }, wallClockMs)
}

function refusedWallClock(limit: number): Failure {
  return new Failure('bad_request', `A wall-clock limit of ${limit} ms is not between 0 and ${longestDelay}`)
}

/** Settings that cannot be had stop the run before its first request. */
function agentStart({ prompt, ports, stop }: RunOptions): AgentEvent {
  try {
    const { model, tools, thinkingLevel } = ports.settings()
    const { headEntryId } = ports.conversation
    return {
      type: 'agent_start',
      model: modelName(model),
      tools: tools.map(({ name }) => name),
      thinkingLevel,
      ...(prompt === undefined && headEntryId !== null ? { resumedFrom: headEntryId } : {}),
    }
  } catch (error) {
    stop.stop('error', Failure.from(error))
    return { type: 'agent_start', model: 'unknown', tools: [], thinkingLevel: 'off' }
  }
}

/** Where a run stands between its turns. */
interface Course {
  readonly turns: number
  /** Which model the next request begins with. */
  readonly choice: ModelChoice
  readonly usage: Usage
  readonly lastUsage: Usage | undefined
  /** True where the last turn left tool results to be answered: not where its tools ended the run, and an input goes on. */
  readonly hasResults: boolean
  /** The queue that the next turn takes from; undefined: the run ends. */
  nextQueue(): QueueName | undefined
  finished(outcome: TurnOutcome): { readonly willContinue: boolean }
  /** What is to be told before the run goes on, once. */
  warning(): AgentEvent | undefined
  end(): RunEnd
}

interface RunEnd {
  readonly terminationReason: TerminationReason
  readonly stopRule?: string
  readonly failure?: Failure
}

function newCourse({ take = 'steering', ports, stop }: RunOptions): Course {
  const repeated = sameCalls()
  const blind = blindRules(ports.stopWhen)
  let turns = 0
  let usage = noUsage
  let last: TurnOutcome | undefined
  let hasResults = false
  let ended: RunEnd | undefined

  const nextQueue = (): QueueName | undefined => {
    if (stop.reason !== undefined && turns > 0) return undefined
    if (ended !== undefined) return undefined
    if (turns === 0) return take
    if (hasResults || ports.queues.size('steering') > 0) return 'steering'
    return ports.queues.size('followUp') > 0 ? 'followUp' : undefined
  }
  return {
    choice: modelChoice(),
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
      return hasResults
    },
    nextQueue,
    finished: (outcome) => {
      turns += 1
      last = outcome
      usage = addUsage(usage, outcome.answer?.message.usage ?? noUsage)
      ended = endOf(outcome)
      const isTerminated = allTerminate(outcome)
      hasResults = outcome.hasToolCalls && !isTerminated
      const same = repeated.count(callsOf(outcome))
      const turn = finishedTurn(outcome, turns, usage, same)
      blind.look(turn)
      if (ended === undefined && nextQueue() !== undefined) ended = ruledEnd(ports.stopWhen, turn)
      else if (isTerminated) ended ??= { terminationReason: 'terminated' }
      return { willContinue: nextQueue() !== undefined }
    },
    warning: () => repeated.warning() ?? blind.warning(),
    end: () => stoppedEnd(stop) ?? ended ?? { terminationReason: 'completed' },
  }
}

function stoppedEnd({ reason, failure }: StopSwitch): RunEnd | undefined {
  if (reason === undefined) return undefined
  return { terminationReason: reason, ...(failure === undefined ? {} : { failure }) }
}

/** How the run ends with this turn, by what the turn itself was. */
function endOf({ answer }: TurnOutcome): RunEnd | undefined {
  if (answer?.failure !== undefined) {
    const { failure } = answer
    return { terminationReason: failure.data.kind === 'stall' ? 'idle_timeout' : 'error', failure }
  }
  if (answer?.message.stopReason === 'error') return { terminationReason: 'error' }
  return undefined
}

/** Every result asks for the run's end: nothing but what is queued goes on (docs/loop.md#12). */
function allTerminate({ results }: TurnOutcome): boolean {
  return results.length > 0 && results.every(({ terminate }) => terminate)
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

function finishedTurn({ answer, results }: TurnOutcome, turns: number, usage: Usage, sameCalls: number): FinishedTurn {
  return { turns, usage, message: answer?.message, results: results.map(({ message }) => message), sameCalls }
}

function callsOf({ answer }: TurnOutcome): ToolCall[] {
  return answer?.message.content.filter((block) => block.type === 'toolCall') ?? []
}

function agentEnd(course: Course, durationMs: number): AgentEvent {
  const { terminationReason, stopRule, failure } = course.end()
  return {
    type: 'agent_end',
    totalTurns: course.turns,
    usage: course.usage,
    durationMs: Math.max(0, durationMs), // the system's clock may have been set back
    terminationReason,
    ...(stopRule === undefined ? {} : { stopRule }),
    ...(failure === undefined ? {} : { error: failureShape(failure) }),
  }
}
