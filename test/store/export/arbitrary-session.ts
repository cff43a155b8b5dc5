// Random sessions: trees of messages of every role, as the events of a log.
import fc from 'fast-check'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { memoryStore } from '../../../lib/store/sessions/memory-store.ts'
import type { SessionLog } from '../../../lib/streams/ports/session-log.ts'
import { assistant, toolResult, user } from '../../streams/events/samples.ts'
import { appendEvents, sampleHeader } from '../sessions/sample-records.ts'
import { binaryText } from '../../support/binary-text.ts'

const text = fc.oneof(
  binaryText({ maxLength: 30 }),
  fc.constantFrom('`', '```js\nx\n```', '<b>', '# h', '![i](http://x.y/z)'),
)
const image = fc.record({
  type: fc.constant('image' as const),
  mimeType: fc.constant('image/png'),
  data: fc.base64String(),
})
const userContent = fc.array(fc.oneof(fc.record({ type: fc.constant('text' as const), text }), image), { maxLength: 3 })
const plain = fc.dictionary(
  text.filter((name) => name !== '__proto__'),
  fc.oneof(text, fc.integer(), fc.boolean()),
  { maxKeys: 3 },
)
const block = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({ type: fc.constant('thinking' as const), thinking: text, thinkingSignature: text }),
  fc.record({
    type: fc.constant('toolCall' as const),
    id: fc.constantFrom('call_1', 'call_2'),
    name: text,
    arguments: plain,
  }),
)
const stop = fc.constantFrom(
  'stop' as const,
  'length' as const,
  'toolUse' as const,
  'error' as const,
  'aborted' as const,
)

const customRoles = [
  { role: 'bashExecution', command: 'ls', output: 'a', exitCode: 0, cancelled: false, truncated: false, timestamp: 3 },
  { role: 'custom', customType: 'x', content: 'c', display: true, timestamp: 3 },
  { role: 'note', anything: { goes: [1] }, timestamp: 3 },
  { role: 'piSystem', content: 'be kind', timestamp: 3 },
]

/** Any message that a session can contain. */
export const arbitraryMessage: fc.Arbitrary<Message> = fc.oneof(
  fc.oneof(text, userContent).map((content) => user(content)),
  fc
    .record({ content: fc.array(block, { maxLength: 3 }), stopReason: stop, errorMessage: text })
    .map(({ content, ...fields }) => assistant(content, fields)),
  fc
    .record({ content: userContent, isError: fc.boolean(), toolName: text })
    .map((fields) => toolResult({ ...fields, details: { diff: fields.toolName } })),
  // custom roles are not part of the type before a module declares them
  fc.constantFrom(...customRoles.map((message) => message as unknown as Message)),
)

interface Step {
  readonly kind: 'message' | 'compaction' | 'branch_summary' | 'label' | 'model' | 'level' | 'title' | 'custom' | 'move'
  readonly message: Message
  readonly text: string
  /** The index of one of the nodes so far. */
  readonly node: number
}

const arbitraryStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom<Step['kind'][]>(
    'message',
    'message',
    'message',
    'compaction',
    'branch_summary',
    'label',
    'model',
    'level',
    'title',
    'custom',
    'move',
  ),
  message: arbitraryMessage,
  text,
  node: fc.nat(30),
})

/** The events of a session. */
export const arbitraryEvents: fc.Arbitrary<readonly AgentEvent[]> = fc
  .array(arbitraryStep, { maxLength: 20 })
  .map((steps) => {
    const nodes: string[] = []
    let head: string | null = null
    const added = (): { entryId: string; parentId: string | null } => {
      const parentId = head
      head = `entry${'abcdefghijklmnopqrstuvwxyz'.charAt(nodes.length)}aa`
      nodes.push(head)
      return { entryId: head, parentId }
    }
    return steps.flatMap((step): AgentEvent[] => {
      const node = nodes[step.node % Math.max(1, nodes.length)]
      const summary = { summary: step.text, tokensBefore: 9, tokensAfter: 2 }
      switch (step.kind) {
        case 'message':
          return [{ type: 'message_end', message: step.message, ...added() }]
        case 'compaction':
          return [{ type: 'compaction', firstKeptEntryId: head, ...summary, ...added() }]
        case 'branch_summary':
          return node === undefined ? [] : [{ type: 'branch_summary', fromEntryId: node, ...summary, ...added() }]
        case 'label':
          return node === undefined ? [] : [{ type: 'label', targetEntryId: node, label: step.text }]
        case 'model':
          return [{ type: 'model_change', to: `p/${step.text}` }]
        case 'level':
          return [{ type: 'thinking_level_change', to: 'high' }]
        case 'title':
          return [{ type: 'session_info_change', to: { title: step.text } }]
        case 'custom':
          return [{ type: 'custom', customType: 'todo', data: step.text }]
        case 'move':
          head = node ?? null
          return [{ type: 'head_moved', entryId: head }]
      }
    })
  })

/** A log with these events; a result's content has a line of its own. */
export function logOf(events: readonly AgentEvent[], title?: string): SessionLog {
  const log = memoryStore().create(sampleHeader(title === undefined ? {} : { title }))
  appendEvents(log, events.flatMap(withResult))
  return log
}

/** A log's line of a result has no content: the end of its call has it. */
function withResult(event: AgentEvent): AgentEvent[] {
  if (event.type !== 'message_end' || event.message.role !== 'toolResult') return [event]
  const { toolCallId, toolName, content, isError, details } = event.message
  return [
    { type: 'tool_execution_start', toolCallId, toolName, entryId: event.entryId },
    {
      type: 'tool_execution_end',
      toolCallId,
      toolName,
      content,
      isError,
      ...(details === undefined ? {} : { details }),
      durationMs: 5,
    },
    event,
  ]
}
