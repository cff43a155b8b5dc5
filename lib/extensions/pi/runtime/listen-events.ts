// Calls the handlers of a module of pi at the hooks and events of a session.
import type { AgentContext } from '../../../streams/ports/agent-context.ts'
import type { AgentEvent } from '../../../streams/events/event.ts'
import type {
  InputAnswer,
  InputHookInput,
  ToolCallHookInput,
  BeforeToolCallAnswer,
} from '../../../streams/ports/hooks.ts'
import type { ToolResult } from '../../../streams/ports/tool.ts'
import { Failure } from '../../../streams/values/failure.ts'
import type { PiRuntime } from '../contract/pi-runtime.ts'
import type { PiMessage, PiRecord } from '../contract/pi-shapes.ts'
import { branchEntries, piMessage } from './own-entries.ts'
import { promptOptions } from './pi-context.ts'
import { toolPrompt } from './pi-tool.ts'
import { discoverResources, skillPrompt } from './discover-resources.ts'
import { emitEvent, hasHandlers, emitStart } from './emit-event.ts'
import { changeCompaction, changeRequest } from './change-requests.ts'
import { appendOwnEntry, asModelMessages, restoreEntries, withOwnMessages } from './send-messages.ts'
import type { Publish } from './send-messages.ts'
import { listenToLeaving } from './leave-session.ts'
import { continueReplaced } from './replace-session.ts'
import { observeEvent } from './observe-events.ts'
import { listenToUserBash } from './user-bash.ts'

/** pi does not limit handlers, which may wait for a person. */
const limitMs = 2 ** 31 - 1

export function listenToEvents(runtime: PiRuntime, publish: Publish): void {
  const { hooks, events, scope, ui } = runtime.api
  const on: typeof hooks.on = (name, hook) => hooks.on(name, hook, { limitMs })
  const resumed = { new: 'startup', open: 'resume', reload: 'reload' } as const
  on('session_start', async ({ reason }) => {
    await Promise.resolve() // a program that opens a session subscribes in the same step
    if (reason !== 'new') await restoreEntries(runtime)
    await emitStart(runtime, resumed[reason])
    continueReplaced(runtime, reason)
    await discoverResources(runtime)
  })
  on('shutdown', ({ reason }) =>
    emitEvent(runtime, 'session_shutdown', () => ({ reason: reason === 'close' ? 'quit' : 'reload' })),
  )
  on('input', (input) => changeInput(runtime, input))
  on('before_agent_start', ({ prompt }) => beforeRun(runtime, prompt))
  on('context', (context) => changeContext(runtime, context))
  on('tool_call', (input) => checkCall(runtime, input))
  on('tool_result', (input) => changeToolResult(runtime, input))
  listenToLeaving(runtime)
  listenToUserBash(runtime)
  listenToTurns(runtime, on)
  on('branch', ({ entryId }) => emitEvent(runtime, 'session_tree', () => ({ newLeafId: entryId, oldLeafId: null })))
  on('compact', (request) => changeCompaction(runtime, request))
  if (hasHandlers(runtime, 'before_provider_request') || hasHandlers(runtime, 'before_provider_headers'))
    on('before_request', (request) => changeRequest(runtime, request))
  if (hasHandlers(runtime, 'after_provider_response'))
    on('after_response', ({ status, headers }) =>
      emitEvent(runtime, 'after_provider_response', () => ({ status, headers })),
    )
  const report = (error: unknown): void => {
    ui.notify(`${runtime.path}: ${Failure.from(error).message}`, 'error')
  }
  events.event$.pipe(scope.bind()).subscribe((event) => {
    appendWaiting(runtime, publish, event)
    if (event.type === 'message_start') runtime.hasEnded = false
    if (event.type === 'agent_end') endRun(runtime).catch(report)
    observeEvent(runtime, event).catch(report)
  })
}

function listenToTurns(runtime: PiRuntime, on: PiRuntime['api']['hooks']['on']): void {
  on('turn_start', ({ turnIndex }) => emitEvent(runtime, 'turn_start', () => ({ turnIndex, timestamp: Date.now() })))
  on('turn_end', ({ turnIndex, message, results }) => {
    const fields = {
      turnIndex,
      message: message && piMessage(message),
      toolResults: results,
      outcome: 'completed',
      entries: [],
      continue: false,
    }
    return emitEvent(
      runtime,
      'turn_end',
      () => ({ ...fields, ...turnEntries(runtime, results.length) }),
      (answer) => {
        if ('entries' in answer || 'continue' in answer)
          runtime.limits.report('the answer of turn_end', 'use pi.appendEntry and pi.sendMessage')
        return false
      },
    )
  })
  on('agent_end', async () => {
    await endRun(runtime)
    return undefined
  })
  on('agent_settled', () => emitEvent(runtime, 'agent_settled', () => ({})))
}

/** Calls the handlers of `agent_end` once for each end of the loop: at a natural end they may send what comes next. */
async function endRun(runtime: PiRuntime): Promise<void> {
  if (runtime.hasEnded) return
  runtime.hasEnded = true
  await emitEvent(runtime, 'agent_end', () => ({
    messages: branchEntries(runtime).flatMap(({ message }) => message ?? []),
  }))
}

/** Appends what waits: messages behind the prompt, and behind the turn. */
function appendWaiting(runtime: PiRuntime, publish: Publish, event: AgentEvent): void {
  const append = (messages: PiMessage[], after?: string): void => {
    for (const message of messages.splice(0))
      appendOwnEntry(runtime, publish, { customType: message.customType ?? 'message', message }, after)
  }
  if (event.type === 'message_end' && event.message.role === 'user') append(runtime.afterPrompt, event.entryId)
  if (event.type === 'turn_end' || event.type === 'agent_settled') append(runtime.afterTurn)
}

function turnEntries(runtime: PiRuntime, results: number): PiRecord {
  const ids = branchEntries(runtime).flatMap(({ id, type }) => (type === 'message' ? [id] : []))
  return {
    messageEntryId: ids.at(-1 - results),
    toolResultEntryIds: results === 0 ? [] : ids.slice(-results),
    context: {},
  }
}

async function changeInput(runtime: PiRuntime, { source, text }: InputHookInput): Promise<InputAnswer | undefined> {
  const state = { text, handled: false }
  const isOwn = runtime.ownInputs.has(text)
  const behaviour = { prompt: undefined, steer: 'steer', follow_up: 'followUp' }[source]
  const fields = () => ({
    text: state.text,
    source: isOwn ? 'extension' : 'interactive',
    ...(behaviour && { streamingBehavior: behaviour }),
  })
  await emitEvent(runtime, 'input', fields, (answer) => {
    if (answer['action'] === 'transform') state.text = String(answer['text'])
    state.handled = answer['action'] === 'handled'
    return state.handled
  })
  if (state.handled) return { handled: true }
  return state.text === text ? undefined : { text: state.text }
}

async function beforeRun(runtime: PiRuntime, prompt: string): Promise<undefined> {
  const { system } = runtime
  const options = promptOptions(runtime)
  let own: string | undefined
  const current = (): string => withSections(own ?? system, options.sections)
  const event = () => ({
    prompt,
    get systemPrompt() {
      return current()
    },
    systemPromptOptions: options,
  })
  await emitEvent(runtime, 'before_agent_start', event, (answer) => {
    if (typeof answer['systemPrompt'] === 'string') own = answer['systemPrompt']
    if (typeof answer['message'] === 'object' && answer['message'] !== null)
      runtime.afterPrompt.push(answer['message'] as PiMessage)
    return false
  })
  const changed = current()
  if (changed === system) runtime.promptChange = undefined
  else if (changed.startsWith(system)) runtime.promptChange = (before) => before + changed.slice(system.length)
  else runtime.promptChange = () => changed
  return undefined
}

function withSections(system: string, sections: Readonly<Record<string, string>>): string {
  return [system, ...Object.entries(sections).map(([name, text]) => `<${name}>\n${text}\n</${name}>`)].join('\n\n')
}

async function changeContext(runtime: PiRuntime, context: AgentContext): Promise<AgentContext> {
  runtime.model = context.model
  const active = [...runtime.tools.values()].filter(({ name }) => context.tools.some((tool) => tool.name === name))
  const added = [toolPrompt(active), skillPrompt(runtime.skills)].filter((text) => text !== '').join('\n\n')
  const system = added === '' ? context.system : `${context.system}\n\n${added}`
  let messages = withOwnMessages(runtime, context.messages)
  if (hasHandlers(runtime, 'context')) {
    messages = structuredClone(messages)
    await emitEvent(
      runtime,
      'context',
      () => ({ messages }),
      (answer) => {
        if (Array.isArray(answer['messages'])) messages = answer['messages'] as PiMessage[]
        return false
      },
    )
  }
  return { ...context, system: runtime.promptChange?.(system) ?? system, messages: asModelMessages(messages) }
}

async function checkCall(
  runtime: PiRuntime,
  { call, args }: ToolCallHookInput,
): Promise<BeforeToolCallAnswer | undefined> {
  if (!hasHandlers(runtime, 'tool_call')) return undefined
  const input = structuredClone(args) as PiRecord
  let block: { reason: string } | undefined
  await emitEvent(
    runtime,
    'tool_call',
    () => ({ toolCallId: call.id, toolName: call.name, input }),
    (answer) => {
      if (answer['block'] === true)
        block = { reason: typeof answer['reason'] === 'string' ? answer['reason'] : 'Blocked by an extension' }
      return block !== undefined
    },
  )
  if (block !== undefined) return { block }
  return JSON.stringify(input) === JSON.stringify(args) ? undefined : { args: input }
}

async function changeToolResult(
  runtime: PiRuntime,
  { call, args, result }: ToolCallHookInput & { readonly result: ToolResult },
): Promise<ToolResult | undefined> {
  let current = result
  const event = () => {
    const { content, details, isError = false } = current
    return {
      toolCallId: call.id,
      toolName: call.name,
      input: { ...args },
      content,
      isError,
      ...(details !== undefined && { details }),
    }
  }
  await emitEvent(runtime, 'tool_result', event, ({ content, details, isError }) => {
    current = {
      ...current,
      ...(content !== undefined && { content: content as ToolResult['content'] }), // pi's parts are of the same form
      ...(details !== undefined && { details }),
      ...(typeof isError === 'boolean' && { isError }),
    }
    return false
  })
  return current === result ? undefined : current
}
