// Plays a situation with pi's agent; its idle promise becomes `SET`, as pi has no such event.
import type { AgentTrace } from './agent-trace.ts'
import { callEndLine, callLine, endLine, progressLine, startLine, turnEndLine, updateLine } from './event-lines.ts'
import { gates } from './gates.ts'
import type { Gates } from './gates.ts'
import type { PiAgent, PiEvent, PiHookContext, PiMessage, PiModule, PiTool, PiToolResult } from './pi-shapes.ts'
import { piStream } from './pi-stream.ts'
import { recorder } from './recorder.ts'
import type { Recorder } from './recorder.ts'
import type { HookedCall, Person, ScriptedTool, Situation, ToolAnswer } from './situation.ts'
import type { Wording } from './wordings.ts'

export async function playPi({ Agent, Type }: PiModule, situation: Situation, wording: Wording): Promise<AgentTrace> {
  const opened = gates()
  const pending: Promise<void>[] = []
  const recording = recorder({ reactions: situation.on ?? [], person: () => person, wording })
  const tools = (situation.tools ?? []).map((tool) =>
    piTool(tool, tool.parameters(Type), { opened, recording, person: () => person }),
  )
  let requests = 0
  const agent = new Agent({
    initialState: { tools },
    toolExecution: situation.sequential === true ? 'sequential' : 'parallel',
    steeringMode: situation.steeringMode ?? 'one-at-a-time',
    followUpMode: situation.followUpMode ?? 'one-at-a-time',
    streamFn: (_model, { messages }, { signal }) => {
      recording.request(withoutSystem(messages))
      requests += 1
      return piStream(situation.answers[requests - 1] ?? [{ fails: `no answer ${requests}` }], signal)
    },
    ...hooksOf(situation, recording),
  })
  agent.subscribe((event) => {
    recording.event(lineOf(event, wording))
  })
  const person = createPerson(agent, { opened, recording, pending, wording })
  await situation.steps(person)
  await agent.waitForIdle()
  await Promise.all(pending)
  const { messages, errorMessage } = agent.state
  return recording.trace({ messages: withoutSystem(messages), errorMessage })
}

interface Surroundings {
  readonly opened: Gates
  readonly recording: Recorder
}

function createPerson(
  agent: PiAgent,
  { opened, recording, pending, wording }: Surroundings & { pending: Promise<void>[]; wording: Wording },
): Person {
  const settle = (what: string, promise: Promise<void>): Promise<void> => {
    const ended = recording.settlement(what)
    const settled = promise.then(
      () => {
        recording.event('SET')
        ended('resolves')
      },
      (error: unknown) => ended(`rejects ${wording(error instanceof Error ? error.message : 'oddly')}`),
    )
    pending.push(settled)
    return settled
  }
  return {
    prompt: (text) => settle(`prompt "${text}"`, agent.prompt(text)),
    continue: () => settle('continue', agent.continue()),
    steer: (text) => agent.steer(userMessage(text)),
    followUp: (text) => agent.followUp(userMessage(text)),
    abort: () => agent.abort(),
    reset: () => {
      agent.reset()
      return Promise.resolve()
    },
    rewind: (count) => {
      const remaining = new Set(withoutSystem(agent.state.messages).slice(0, count))
      agent.state.messages = agent.state.messages.filter((each) => each.role === 'system' || remaining.has(each))
      return Promise.resolve()
    },
    clearQueues: () => agent.clearAllQueues(),
    setMode: (queue, mode) => {
      agent[queue === 'steering' ? 'steeringMode' : 'followUpMode'] = mode
    },
    open: opened.open,
  }
}

function userMessage(text: string) {
  return { role: 'user', content: [{ type: 'text', text }], timestamp: Date.now() }
}

/** pi announces its tools to the model in system messages; ours go beside the messages. */
function withoutSystem(messages: readonly PiMessage[]): readonly PiMessage[] {
  return messages.filter(({ role }) => role !== 'system')
}

function piTool(
  tool: ScriptedTool,
  parameters: unknown,
  { opened, recording, person }: Surroundings & { person(): Person },
): PiTool {
  const { prepare } = tool
  return {
    name: tool.name,
    label: tool.name,
    description: `The scripted tool ${tool.name}`,
    parameters,
    ...(prepare === undefined ? {} : { prepareArguments: (args) => prepare(args as Record<string, unknown>) }),
    ...(tool.serial === true ? { executionMode: 'sequential' as const } : {}),
    execute: async (id, args, signal, update) => {
      recording.toolRun(id, tool.name, args)
      return toolResult(
        await tool.run({
          id,
          args,
          person: person(),
          progress: (text) => update(toolResult(text)),
          gate: opened.wait,
          signal: signal ?? new AbortController().signal,
        }),
      )
    },
  }
}

function toolResult(answer: string | ToolAnswer): PiToolResult {
  const { text, terminate } = typeof answer === 'string' ? { text: answer } : answer
  const content = text === undefined ? undefined : [{ type: 'text' as const, text }]
  return { content, details: {}, ...(terminate === true ? { terminate } : {}) }
}

function hooksOf({ before, after, transform }: Situation, recording: Recorder) {
  return {
    ...(transform === undefined
      ? {}
      : {
          // async: what it throws is to be a rejection
          // oxlint-disable-next-line typescript/require-await
          transformContext: async (messages: readonly PiMessage[]) => {
            transform()
            return messages
          },
        }),
    ...(before === undefined
      ? {}
      : {
          // async: what the hook throws is to be a rejection
          // oxlint-disable-next-line typescript/require-await
          beforeToolCall: async (context: PiHookContext) => {
            recording.event(`before(${context.toolCall.id})`)
            const reason = before(toHookedCall(context))
            return reason === undefined ? undefined : { block: true as const, reason }
          },
        }),
    ...(after === undefined
      ? {}
      : {
          // async: what the hook throws is to be a rejection
          // oxlint-disable-next-line typescript/require-await
          afterToolCall: async (context: PiHookContext) => {
            recording.event(`after(${context.toolCall.id})`)
            const { text, ...more } = after(toHookedCall(context)) ?? {}
            return { ...more, ...(text === undefined ? {} : { content: [{ type: 'text' as const, text }] }) }
          },
        }),
  }
}

function toHookedCall({ toolCall: { id, name }, args }: PiHookContext): HookedCall {
  return { id, name, args }
}

function lineOf(event: PiEvent, wording: Wording): string {
  switch (event.type) {
    case 'agent_start':
      return 'AS'
    case 'agent_end':
      return 'AE'
    case 'turn_start':
      return 'TS'
    case 'turn_end':
      return turnEndLine(
        event.message,
        event.toolResults.map(({ toolCallId }) => toolCallId),
      )
    case 'message_start':
      return startLine(event.message)
    case 'message_end':
      return endLine(event.message, wording)
    case 'message_update':
      return updateLine(event.assistantMessageEvent, event.assistantMessageEvent.delta)
    case 'tool_execution_start':
      return callLine(event.toolCallId, event.toolName, event.args)
    case 'tool_execution_update':
      return progressLine(event.toolCallId, event.partialResult.content?.map(({ text }) => text).join('') ?? '')
    case 'tool_execution_end':
      return callEndLine(event.toolCallId, { ...event.result, isError: event.isError }, wording)
  }
}
