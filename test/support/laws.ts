// Checks the events of any run against law 5 of AGENTS.md.
import type { AgentEvent } from '../../lib/streams/events/event.ts'
import { shortNotation } from '../../lib/testing/short-name.ts'

/**
 * Every fault of a run's events: a message, turn, call or run that started and did not end, ended twice, or is at the
 * wrong position. Empty: law 5 holds.
 */
export function faultsOfRun(events: readonly AgentEvent[]): string[] {
  const state = newRunState()
  for (const event of events) take(state, event)
  if (state.stage !== 'settled') state.faults.push(`the run ends ${state.stage}`)
  const { calls } = state
  for (const [id, { started, ended, results }] of calls) {
    if (started !== 1 || ended !== 1 || results !== 1) {
      state.faults.push(`call ${id} has ${started} starts, ${ended} ends and ${results} results`)
    }
  }
  return state.faults.length === 0 ? [] : [...state.faults, shortNotation(events, { calls: true })]
}

interface Call {
  started: number
  ended: number
  results: number
}

interface RunState {
  stage: 'not begun' | 'running' | 'ended' | 'settled'
  turn: string | undefined
  message: string | undefined
  readonly calls: Map<string, Call>
  readonly faults: string[]
}

function newRunState(): RunState {
  return { stage: 'not begun', turn: undefined, message: undefined, calls: new Map(), faults: [] }
}

function take(state: RunState, event: AgentEvent): void {
  switch (event.type) {
    case 'agent_start':
      go(state, 'not begun', 'running', event.type)
      break
    case 'agent_end':
      check(state, state.turn === undefined && state.message === undefined, 'agent_end within a turn')
      go(state, 'running', 'ended', event.type)
      break
    case 'agent_settled':
      go(state, 'ended', 'settled', event.type)
      break
    case 'turn_start':
      check(state, state.stage === 'running' && state.turn === undefined, 'turn_start out of place')
      state.turn = event.turnId
      break
    case 'turn_end':
      check(state, state.turn === event.turnId && state.message === undefined, 'turn_end out of place')
      state.turn = undefined
      break
    default:
      takeInTurn(state, event)
  }
}

function takeInTurn(state: RunState, event: AgentEvent): void {
  switch (event.type) {
    case 'message_start':
      check(state, state.turn !== undefined && state.message === undefined, 'message_start out of place')
      state.message = event.entryId
      break
    case 'message_update':
      check(state, state.message === event.entryId, 'message_update of a message that is not open')
      break
    case 'message_end':
      check(state, state.message === event.entryId, 'message_end of a message that is not open')
      state.message = undefined
      takeMessage(state, event.message)
      break
    case 'tool_execution_start':
      check(state, state.calls.has(event.toolCallId), `${event.toolCallId} starts and was never called`)
      count(state, event.toolCallId, 'started')
      break
    case 'tool_execution_update':
      check(state, runs(state, event.toolCallId), `${event.toolCallId} has output while it does not run`)
      break
    case 'tool_execution_end':
      check(state, state.calls.get(event.toolCallId)?.started === 1, `${event.toolCallId} ends and never started`)
      count(state, event.toolCallId, 'ended')
      break
    default:
  }
}

function runs({ calls }: RunState, id: string): boolean {
  const call = calls.get(id)
  return call?.started === 1 && call.ended === 0
}

function takeMessage(state: RunState, message: Extract<AgentEvent, { type: 'message_end' }>['message']): void {
  if (message.role === 'toolResult') {
    check(state, state.calls.get(message.toolCallId)?.ended === 1, `${message.toolCallId} has a result before its end`)
    count(state, message.toolCallId, 'results')
  }
  if (message.role !== 'assistant') return
  for (const block of message.content) {
    if (block.type === 'toolCall') state.calls.set(block.id, { started: 0, ended: 0, results: 0 })
  }
}

function count(state: RunState, id: string, what: keyof Call): void {
  const call = state.calls.get(id)
  if (call === undefined) state.faults.push(`${id} is not known`)
  else call[what] += 1
}

function go(state: RunState, from: RunState['stage'], to: RunState['stage'], type: string): void {
  check(state, state.stage === from, `${type} while the run is ${state.stage}`)
  state.stage = to
}

function check(state: RunState, holds: boolean, fault: string): void {
  if (!holds) state.faults.push(fault)
}
