// Checks the events of any run against law 5 of AGENTS.md.
import type { AgentEvent } from '../../lib/streams/events/event.ts'
import { shortNotation } from '../../lib/testing/short-name.ts'

/**
 * Every fault of a run's events: a message, turn, call or run that started and did not end, ended twice, or is at the
 * wrong position. Empty: law 5 holds.
 */
export function faultsOfRun(events: readonly AgentEvent[]): string[] {
  const course = newCourse()
  for (const event of events) take(course, event)
  if (course.stage !== 'settled') course.faults.push(`the run ends ${course.stage}`)
  const { calls } = course
  for (const [id, { started, ended, results }] of calls) {
    if (started !== 1 || ended !== 1 || results !== 1) {
      course.faults.push(`call ${id} has ${started} starts, ${ended} ends and ${results} results`)
    }
  }
  return course.faults.length === 0 ? [] : [...course.faults, shortNotation(events, { calls: true })]
}

interface Call {
  started: number
  ended: number
  results: number
}

interface Course {
  stage: 'not begun' | 'running' | 'ended' | 'settled'
  turn: string | undefined
  message: string | undefined
  readonly calls: Map<string, Call>
  readonly faults: string[]
}

function newCourse(): Course {
  return { stage: 'not begun', turn: undefined, message: undefined, calls: new Map(), faults: [] }
}

function take(course: Course, event: AgentEvent): void {
  switch (event.type) {
    case 'agent_start':
      go(course, 'not begun', 'running', event.type)
      break
    case 'agent_end':
      check(course, course.turn === undefined && course.message === undefined, 'agent_end within a turn')
      go(course, 'running', 'ended', event.type)
      break
    case 'agent_settled':
      go(course, 'ended', 'settled', event.type)
      break
    case 'turn_start':
      check(course, course.stage === 'running' && course.turn === undefined, 'turn_start out of place')
      course.turn = event.turnId
      break
    case 'turn_end':
      check(course, course.turn === event.turnId && course.message === undefined, 'turn_end out of place')
      course.turn = undefined
      break
    default:
      takeInTurn(course, event)
  }
}

function takeInTurn(course: Course, event: AgentEvent): void {
  switch (event.type) {
    case 'message_start':
      check(course, course.turn !== undefined && course.message === undefined, 'message_start out of place')
      course.message = event.entryId
      break
    case 'message_update':
      check(course, course.message === event.entryId, 'message_update of a message that is not open')
      break
    case 'message_end':
      check(course, course.message === event.entryId, 'message_end of a message that is not open')
      course.message = undefined
      takeMessage(course, event.message)
      break
    case 'tool_execution_start':
      check(course, course.calls.has(event.toolCallId), `${event.toolCallId} starts and was never called`)
      count(course, event.toolCallId, 'started')
      break
    case 'tool_execution_update':
      check(course, runs(course, event.toolCallId), `${event.toolCallId} has output while it does not run`)
      break
    case 'tool_execution_end':
      check(course, course.calls.get(event.toolCallId)?.started === 1, `${event.toolCallId} ends and never started`)
      count(course, event.toolCallId, 'ended')
      break
    default:
  }
}

function runs({ calls }: Course, id: string): boolean {
  const call = calls.get(id)
  return call?.started === 1 && call.ended === 0
}

function takeMessage(course: Course, message: Extract<AgentEvent, { type: 'message_end' }>['message']): void {
  if (message.role === 'toolResult') {
    check(
      course,
      course.calls.get(message.toolCallId)?.ended === 1,
      `${message.toolCallId} has a result before its end`,
    )
    count(course, message.toolCallId, 'results')
  }
  if (message.role !== 'assistant') return
  for (const block of message.content) {
    if (block.type === 'toolCall') course.calls.set(block.id, { started: 0, ended: 0, results: 0 })
  }
}

function count(course: Course, id: string, what: keyof Call): void {
  const call = course.calls.get(id)
  if (call === undefined) course.faults.push(`${id} is not known`)
  else call[what] += 1
}

function go(course: Course, from: Course['stage'], to: Course['stage'], type: string): void {
  check(course, course.stage === from, `${type} while the run is ${course.stage}`)
  course.stage = to
}

function check(course: Course, holds: boolean, fault: string): void {
  if (!holds) course.faults.push(fault)
}
