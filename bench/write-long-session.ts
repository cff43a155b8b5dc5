// Writes the same long conversation as a log of ours, with every line, and as a session file of pi.
import { closeSync, openSync, writeSync } from 'node:fs'
import { lastValueFrom } from 'rxjs'
import { fileStore } from '../lib/store/index.ts'
import type { AgentEvent } from '../lib/streams/events/event.ts'
import { lineBody } from '../lib/streams/log/line-event.ts'
import type { SessionLog } from '../lib/streams/ports/session-log.ts'
import { entriesPerRun, entryId, longCompaction, longConversation } from './long-conversation.ts'
import type { LongCompaction, LongEntry, LongRun } from './long-conversation.ts'
import { usage } from './text-answer.ts'

export interface LongSession {
  /** Messages. */
  readonly entries: number
  /** Whether a compaction is near its end. */
  readonly compacted: boolean
}

const sessionIds = { whole: 'aaaaaaaaaaaa', compacted: 'bbbbbbbbbbbb' }
const startedAt = 1_790_000_000_000

/** Writes the log into the sessions of `home`, and resolves to its id. */
export async function writeLongLog(home: string, { entries, compacted }: LongSession): Promise<string> {
  const id = compacted ? sessionIds.compacted : sessionIds.whole
  const log = fileStore({ home }).create({ id, createdAt: startedAt, cwd: home })
  const compaction = compacted ? longCompaction(entries) : undefined
  let index = 0
  for (const run of longConversation(entries)) {
    if (index === compaction?.before) append(log, undefined, [compactionEvent(compaction)])
    append(log, entryId(index), runEvents(below(run, index, compaction)))
    index += entriesPerRun
  }
  await lastValueFrom(log.close(), { defaultValue: undefined })
  return id
}

/** Writes pi's file of the same conversation (its format 3). */
export function writeLongPiSession(file: string, { entries, compacted }: LongSession): void {
  const compaction = compacted ? longCompaction(entries) : undefined
  const descriptor = openSync(file, 'wx', 0o600)
  const at = (index: number): string => new Date(startedAt + index * 1_000).toISOString()
  const write = (line: object): void => {
    writeSync(descriptor, `${JSON.stringify(line)}\n`)
  }
  write({ type: 'session', version: 3, id: 'bench', timestamp: at(0), cwd: '/' })
  let index = 0
  for (const run of longConversation(entries)) {
    if (index === compaction?.before) {
      const { before, ...fields } = compaction
      write({ type: 'compaction', timestamp: at(before), tokensBefore: 150_000, ...fields })
    }
    for (const entry of below(run, index, compaction)) write({ type: 'message', timestamp: at(index++), ...entry })
  }
  closeSync(descriptor)
}

/** The parent of the first entry behind a compaction. */
function below(
  run: LongRun,
  index: number,
  compaction: (LongCompaction & { readonly before: number }) | undefined,
): LongRun {
  if (index !== compaction?.before) return run
  return run.map((entry, offset) => (offset === 0 ? { ...entry, parentId: compaction.id } : entry))
}

function append(log: SessionLog, runId: string | undefined, events: Iterable<AgentEvent>): void {
  for (const event of events) {
    const seq = log.head + 1
    log.append(lineBody({ seq, at: startedAt + seq, runId, event }))
  }
}

function compactionEvent({ id, parentId, firstKeptEntryId: firstStoredEntryId, summary }: LongCompaction): AgentEvent {
  const tokens = { tokensBefore: 150_000, tokensAfter: 5_000 }
  return { type: 'compaction', entryId: id, parentId, firstKeptEntryId: firstStoredEntryId, summary, ...tokens }
}

function* runEvents(run: LongRun): Generator<AgentEvent, void> {
  const [prompt, ...rest] = run
  if (prompt === undefined) return
  yield { type: 'agent_start', model: 'bench/bench', tools: ['read'], thinkingLevel: 'off' }
  yield { type: 'turn_start', turnId: prompt.id, turnIndex: 0 }
  yield* messageEvents(prompt)
  let turnIndex = 0
  for (let offset = 0; offset < rest.length; offset += 2) {
    const [answer, result] = [rest[offset], rest[offset + 1]]
    if (answer === undefined) return
    if (turnIndex > 0) yield { type: 'turn_start', turnId: answer.id, turnIndex }
    turnIndex += 1
    yield* messageEvents(answer)
    if (result !== undefined) yield* callEvents(answer, result)
    yield {
      type: 'turn_end',
      turnId: turnIndex === 1 ? prompt.id : answer.id,
      messageEntryId: answer.id,
      toolResultEntryIds: result === undefined ? [] : [result.id],
      usage,
      hasToolCalls: result !== undefined,
      willContinue: result !== undefined,
    }
  }
  yield { type: 'agent_end', totalTurns: turnIndex, usage, durationMs: 9_000, terminationReason: 'completed' }
  yield { type: 'agent_settled' }
}

function messageEvents({ id, parentId, message }: LongEntry): AgentEvent[] {
  const empty = message.role === 'assistant' ? { ...message, durationMs: 0 } : message
  return [
    { type: 'message_start', entryId: id, parentId, message: { ...empty, content: [] } },
    { type: 'message_end', entryId: id, parentId, message },
  ]
}

function callEvents({ id: entryId }: LongEntry, result: LongEntry): AgentEvent[] {
  const { message } = result
  if (message.role !== 'toolResult') return []
  const { toolCallId, toolName, isError, content, durationMs = 0 } = message
  return [
    { type: 'tool_execution_start', toolCallId, toolName, entryId },
    { type: 'tool_execution_end', toolCallId, toolName, isError, content, durationMs },
    ...messageEvents(result),
  ]
}
