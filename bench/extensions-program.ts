// Measures what observers and hooks of extensions add to events and calls, with different numbers in turns; writes JSON.
import type { ExtensionDefinition } from '../lib/extensions/index.ts'
import { callAnswers, lookTools } from './call-answers.ts'
import { withExtensionSession } from './extension-session.ts'
import { textAnswer } from './text-answer.ts'
import { timedPrompt } from './timed-prompt.ts'

/** Microseconds, one figure a round, by the number of extensions with one observer or hook each. */
export interface ExtensionCosts {
  readonly count: number
  /** A delta, which each extension observes. */
  readonly events: number[]
  /** A turn with one call, which each extension judges. */
  readonly calls: number[]
}

const rounds = 11
const deltas = 20_000
const turns = 500
const counts = [0, 10, 50]

const costs = counts.map((count): ExtensionCosts => ({ count, events: [], calls: [] }))
await takeSamples(counts.map((count) => ({ count, events: [], calls: [] }))) // compiles hot code
for (let round = 0; round < rounds; round++) await takeSamples(costs)
process.stdout.write(JSON.stringify(costs))

async function takeSamples(all: readonly ExtensionCosts[]): Promise<void> {
  for (const { count, events, calls } of all) {
    events.push((await eventTime(count)) / deltas)
    calls.push((await callTime(count)) / turns)
  }
}

function named(count: number, setup: ExtensionDefinition['setup']): ExtensionDefinition[] {
  return Array.from({ length: count }, (_, index) => ({ name: `bench-${index}`, version: '1.0.0', setup }))
}

async function eventTime(count: number): Promise<number> {
  let observed = 0
  const extensions = named(count, ({ events }) => {
    events.event$.subscribe((event) => {
      if (event.type === 'message_update') observed++
    })
  })
  const time = await withExtensionSession({ provider: () => textAnswer(deltas), extensions }, (session) =>
    timedPrompt(session),
  )
  check(observed, count * (deltas + 2)) // the block's start and end
  return time
}

async function callTime(count: number): Promise<number> {
  let judged = 0
  const extensions = named(count, ({ hooks }) => {
    hooks.on('tool_call', () => {
      judged++
      return undefined
    })
  })
  const tools = [lookTools.synchronous]
  const time = await withExtensionSession({ provider: callAnswers(turns), extensions, tools }, (session) =>
    timedPrompt(session),
  )
  check(judged, count * turns)
  return time
}

function check(found: number, expected: number): void {
  if (found !== expected) throw new Error(`The extensions got ${found} of ${expected}`)
}
