// What a client has of what no log line has: how much of each block of the open message, and of what running tools say.
import type { AgentEvent } from '../../streams/events/event.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { AssistantContent } from '../../streams/messages/message.ts'

export interface GivenBlock {
  /** UTF-16 units. */
  length: number
  hasEnded: boolean
}

export interface Given {
  /** The message that `blocks` belong to. */
  entryId: string
  /** The blocks whose start was given, by their place in the message. */
  readonly blocks: Map<number, GivenBlock>
  /** UTF-16 units, by call and by `updateType`. */
  readonly output: Map<string, Map<string, number>>
  /** UTF-16 units of each job's output. */
  readonly jobs: Map<string, number>
}

export function nothingGiven(): Given {
  return { entryId: '', blocks: new Map(), output: new Map(), jobs: new Map() }
}

/** What a client has that was told everything up to this state, but for the latest events. */
export function givenBut(state: SessionState, latest: readonly AgentEvent[]): Given {
  const given = nothingGiven()
  if (state.open?.message.role === 'assistant') {
    given.entryId = state.open.entryId
    for (const [index, block] of state.open.message.content.entries()) given.blocks.set(index, whole(block))
  }
  for (const { toolCallId, output } of state.tools.values()) {
    const lengths = Object.entries(output).map(([type, { offset, text }]) => [type, offset + text.length] as const)
    given.output.set(toolCallId, new Map(lengths))
  }
  for (const [jobId, { offset, text }] of state.jobOutput) given.jobs.set(jobId, offset + text.length)
  for (const event of latest) withhold(given, event)
  return given
}

/** A block's text as it is streamed; nothing for a tool call whose arguments are whole. */
export function streamedText(block: AssistantContent): string | undefined {
  if (block.type === 'text') return block.text
  return block.type === 'thinking' ? block.thinking : block.argumentsText
}

function whole(block: AssistantContent): GivenBlock {
  return { length: streamedText(block)?.length ?? 0, hasEnded: showsEnd(block) }
}

/** Whether the block tells what only its end brings. */
function showsEnd(block: AssistantContent): boolean {
  if (block.type === 'text') return block.textSignature !== undefined
  return block.type === 'thinking' ? block.thinkingSignature !== undefined : block.argumentsText === undefined
}

function withhold({ blocks, output, jobs }: Given, event: AgentEvent): void {
  if (event.type === 'job_update') jobs.set(event.jobId, Math.min(jobs.get(event.jobId) ?? 0, event.offset))
  if (event.type === 'tool_execution_update') {
    const lengths = output.get(event.toolCallId)
    const length = lengths?.get(event.updateType) ?? 0
    if (event.offset === 0) lengths?.delete(event.updateType)
    else lengths?.set(event.updateType, Math.min(length, event.offset))
  }
  if (event.type !== 'message_update') return
  const { delta } = event
  const block = blocks.get(delta.contentIndex)
  if (block === undefined) return
  if (delta.type.endsWith('_start')) blocks.delete(delta.contentIndex)
  else if ('offset' in delta) block.length = Math.min(block.length, delta.offset)
  else block.hasEnded = false
}
