// Plays a situation with our agent; drops only the additional events listed in `eventsOfOurOwn`.
import { Type } from '@sinclair/typebox'
import { Observable, defer, lastValueFrom, tap } from 'rxjs'
import { createAgent } from '../../../lib/session/agent/create-agent.ts'
import type { Agent } from '../../../lib/session/agent/create-agent.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { branch } from '../../../lib/streams/state/fold-session.ts'
import { fromAbortable } from '../../../lib/streams/rx/from-abortable.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import type { Provider } from '../../../lib/streams/ports/provider.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import type { AnyTool, ToolProgress, ToolResult } from '../../../lib/streams/ports/tool.ts'
import { scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { AgentTrace } from './agent-trace.ts'
import { gates } from './gates.ts'
import type { Gates } from './gates.ts'
import { playAnswer } from './play-answer.ts'
import { hooksOf } from './rxpi-hooks.ts'
import { rxpiLine } from './rxpi-line.ts'
import { recorder } from './recorder.ts'
import type { Recorder } from './recorder.ts'
import type { Answer, Person, ScriptedTool, Situation, ToolAnswer } from './situation.ts'
import type { Wording } from './wordings.ts'

/** Events of our session that pi's agent does not have, and the page that requires each. */
export const eventsOfOurOwn: Partial<Record<AgentEvent['type'], string>> = {
  queue_update: 'LOOP 21: it reports each change of a queue to clients.',
  queue_mode_change: 'LOOP 17: modes change during a run, and the log has the change.',
  head_moved: 'LOOP 25: pi’s transcript is an array that the caller truncates; ours is a tree with a head that moves.',
}

export interface PlayOptions {
  readonly wording: Wording
  /** Called with each event that was omitted. */
  leftOut(type: AgentEvent['type']): void
}

export async function playRxpi(situation: Situation, { wording, leftOut }: PlayOptions): Promise<AgentTrace> {
  const opened = gates()
  const pending: Promise<void>[] = []
  const recording = recorder({ reactions: situation.on ?? [], person: () => person, wording })
  const tools = (situation.tools ?? []).map((tool) => rxpiTool(tool, { opened, recording, person: () => person }))
  const { transform } = situation
  const agent = createAgent({
    model: { model: scriptedModel, provider: scriptedProvider(situation.answers, recording) },
    env: {},
    system: '',
    tools,
    approve: 'auto',
    retry: { attempts: 1 },
    hooks: hooksOf(situation, recording),
    ...(transform === undefined ? {} : { transformContext: tap(transform) }),
    toolExecution: situation.sequential === true ? 'sequential' : 'parallel',
    queueModes: {
      steering: situation.steeringMode ?? 'one-at-a-time',
      followUp: situation.followUpMode ?? 'one-at-a-time',
    },
  })
  agent.subscribe((event) => {
    if (event.type in eventsOfOurOwn) leftOut(event.type)
    else recording.event(rxpiLine(event, agent.session.state$.value, wording))
  })
  const person = createPerson(agent, { opened, recording, pending, wording })
  try {
    await situation.steps(person)
    await agent.waitForIdle()
    await Promise.all(pending)
    return recording.trace(agent.state)
  } finally {
    await agent.close()
  }
}

interface Surroundings {
  readonly opened: Gates
  readonly recording: Recorder
}

interface Desk extends Surroundings {
  readonly pending: Promise<void>[]
  readonly wording: Wording
}

function createPerson(agent: Agent, { opened, recording, pending, wording }: Desk): Person {
  const run = (what: string, promise: Promise<unknown>): Promise<void> => {
    const ended = recording.settlement(what)
    const settled = promise.then(
      () => ended('resolves'),
      (error: unknown) => ended(`rejects ${wording(Failure.from(error).code)}`),
    )
    pending.push(settled)
    return settled
  }
  // pi does this in the call itself: its result matters only if it fails
  const act = (what: string, promise: Promise<unknown>): Promise<void> =>
    promise.then(
      () => undefined,
      (error: unknown) => recording.settlement(what)(`fails ${Failure.from(error).code}`),
    )
  const soon = (what: string, promise: Promise<unknown>): void => {
    pending.push(act(what, promise))
  }
  return {
    prompt: (text) => run(`prompt "${text}"`, agent.prompt(text)),
    continue: () => run('continue', agent.continue()),
    steer: (text) => soon('steer', agent.steer(text)),
    followUp: (text) => soon('follow-up', agent.followUp(text)),
    abort: () => soon('abort', agent.abort()),
    reset: () => act('reset', agent.reset()),
    rewind: (count) => {
      const entryId = branch(agent.session.state$.value)[count - 1]?.entryId ?? null
      return act(
        'rewind',
        lastValueFrom(agent.session.send({ type: 'branch_session', entryId }), { defaultValue: undefined }),
      )
    },
    clearQueues: () => soon('clear', agent.clearAllQueues()),
    setMode: (queue, mode) =>
      soon('mode', queue === 'steering' ? agent.setSteeringMode(mode) : agent.setFollowUpMode(mode)),
    open: opened.open,
  }
}

function scriptedProvider(answers: readonly Answer[], recording: Recorder): Provider {
  let requests = 0
  return ({ messages }) =>
    defer(() => {
      recording.request(messages)
      requests += 1
      const answer = answers[requests - 1] ?? [{ fails: `no answer ${requests}` }]
      return fromAbortable((signal) => rxpiDeltas(answer, signal))
    })
}

async function* rxpiDeltas(answer: Answer, signal: AbortSignal): AsyncGenerator<AssistantDelta> {
  for await (const delta of playAnswer(answer, signal)) {
    yield delta.type === 'done' ? { ...delta, usage: noUsage } : delta
  }
}

function rxpiTool(tool: ScriptedTool, { opened, recording, person }: Surroundings & { person(): Person }): AnyTool {
  return {
    name: tool.name,
    description: `The scripted tool ${tool.name}`,
    parameters: tool.parameters(Type),
    ...(tool.prepare === undefined ? {} : { prepareArguments: tool.prepare }),
    ...(tool.serial === true ? { mustSerial: true } : {}),
    execute: (args: Record<string, unknown>, context) =>
      new Observable<ToolProgress | ToolResult>((subscriber) => {
        const id = context.toolCallId
        recording.toolRun(id, tool.name, args)
        const answer = tool.run({
          id,
          args,
          person: person(),
          progress: (content) => subscriber.next({ type: 'progress', updateType: 'partial', content }),
          gate: opened.wait,
          get signal() {
            return context.signal
          },
        })
        answer.then(
          (value) => {
            subscriber.next(toolResult(value))
            subscriber.complete()
          },
          (error: unknown) => subscriber.error(error),
        )
      }),
  }
}

function toolResult(answer: string | ToolAnswer): ToolResult {
  const { text, terminate } = typeof answer === 'string' ? { text: answer } : answer
  const more = terminate === true ? { terminate } : {}
  if (text !== undefined) return textResult(text, more)
  return { type: 'result', ...more } as ToolResult // untyped code returns this: no content
}
