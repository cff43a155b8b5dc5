// Converts the events of tool calls into updates of ACP, one entity a call.
import type { SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import type { InnerCall } from '../../../lib/streams/messages/inner-call.ts'
import type { UserContent } from '../../../lib/streams/messages/message.ts'
import { formatBytes } from '../../../lib/streams/values/format-bytes.ts'
import { isRecord } from '../../../lib/streams/values/json.ts'
import { kindOf, locationsOf, titleOf } from './call-title.ts'
import { diffContent, requestedDiff } from './diff-content.ts'

type Arguments = Readonly<Record<string, unknown>>

interface KnownCall {
  readonly name: string
  readonly args: Arguments
  /** The end of what it has printed. */
  readonly tail: string
}

/** UTF-16 units of the output of a running call, of a result, and of the JSON of arguments. */
const limits = { tail: 4_096, result: 32_768, input: 65_536 } as const

/** The calls of one session. Holds those that have no end yet. */
export class CallUpdates {
  readonly #cwd: string
  readonly #open = new Map<string, KnownCall>()
  readonly #printing = new Set<string>()

  /** @param cwd absolute folder of the session */
  constructor(cwd: string) {
    this.#cwd = cwd
  }

  /** The model has begun to write a call. */
  announce(toolCallId: string, name: string): SessionUpdate[] {
    if (this.#open.has(toolCallId)) return []
    this.#open.set(toolCallId, { name, args: {}, tail: '' })
    const title = titleOf(name, {})
    return [{ sessionUpdate: 'tool_call', toolCallId, title, name, kind: kindOf(name), status: 'pending' }]
  }

  /** The arguments are complete. */
  describe({ id: toolCallId, name, arguments: args }: InnerCall): SessionUpdate[] {
    const isNew = !this.#open.has(toolCallId)
    this.#open.set(toolCallId, { name, args, tail: '' })
    const content = requestedDiff(args, this.#cwd)
    const described = {
      toolCallId,
      title: titleOf(name, args),
      name,
      kind: kindOf(name),
      status: 'pending' as const,
      locations: locationsOf(args, this.#cwd),
      ...(content.length === 0 ? {} : { content }),
      ...inputOf(args),
    }
    return [isNew ? { sessionUpdate: 'tool_call', ...described } : { sessionUpdate: 'tool_call_update', ...described }]
  }

  start({ toolCallId, toolName, args }: EventNamed<'tool_execution_start'>): SessionUpdate[] {
    const known = this.#open.get(toolCallId)
    const changed = isRecord(args) && (known === undefined || args !== known.args)
    const described = changed ? this.describe({ type: 'toolCall', id: toolCallId, name: toolName, arguments: args }) : this.announce(toolCallId, toolName) // prettier-ignore
    return [...described, { sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' }]
  }

  /** Adds output of a running call, which `takeOutput` returns. */
  print({ toolCallId, content }: EventNamed<'tool_execution_update'>): void {
    const call = this.#open.get(toolCallId)
    if (call === undefined || content === '') return
    this.#open.set(toolCallId, { ...call, tail: (call.tail + content).slice(-limits.tail) })
    this.#printing.add(toolCallId)
  }

  /** Returns the end of the output of each call that has printed since the last time. */
  takeOutput(): SessionUpdate[] {
    const printing = [...this.#printing]
    this.#printing.clear()
    return printing.flatMap((toolCallId): SessionUpdate[] => {
      const call = this.#open.get(toolCallId)
      return call === undefined
        ? []
        : [{ sessionUpdate: 'tool_call_update', toolCallId, content: [textContent(call.tail)] }]
    })
  }

  end({ toolCallId, toolName, isError, content, details }: CallEnd): SessionUpdate[] {
    const { name, args } = this.#open.get(toolCallId) ?? { name: toolName, args: {} }
    const announced = this.announce(toolCallId, name)
    this.#open.delete(toolCallId)
    this.#printing.delete(toolCallId)
    const facts = isRecord(details) ? details : {}
    const locations = locationsOf({ ...args, ...facts }, this.#cwd, facts['firstChangedLine'])
    const update: SessionUpdate = {
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: isError ? 'failed' : 'completed',
      content: resultContent({ isError, content, facts, file: locations[0]?.path }),
      ...(locations.length === 0 ? {} : { locations }),
    }
    return [...announced, update]
  }

  /** No call runs any more. */
  clear(): void {
    this.#open.clear()
    this.#printing.clear()
  }
}

export type CallEnd = Pick<
  EventNamed<'tool_execution_end'>,
  'toolCallId' | 'toolName' | 'isError' | 'content' | 'details'
>

interface ResultParts extends Pick<CallEnd, 'isError' | 'content'> {
  readonly facts: Arguments
  readonly file: string | undefined
}

/** A change of a file is shown as a diff; what else a tool returned, as text. */
function resultContent({ isError, content, facts, file }: ResultParts): ToolCallContent[] {
  const { diff } = facts
  const changes = typeof diff === 'string' && file !== undefined ? diffContent(diff, file) : []
  return !isError && changes.length > 0 ? changes : content.map(partContent)
}

function partContent(part: UserContent): ToolCallContent {
  if (part.type === 'text') return textContent(part.text)
  const { data, mimeType, bytes } = part
  if (data !== undefined) return { type: 'content', content: { type: 'image', data, mimeType } }
  return textContent(`[${mimeType}${bytes === undefined ? '' : `, ${formatBytes(bytes)}`}]`)
}

function textContent(text: string): ToolCallContent {
  const shown =
    text.length <= limits.result ? text : `${text.slice(0, limits.result)}\n[cut: ${text.length} characters]`
  return { type: 'content', content: { type: 'text', text: shown } }
}

/** Large arguments are left out: the texts of files are in the diff. */
function inputOf(args: Arguments): { readonly rawInput?: Arguments } {
  return JSON.stringify(args).length <= limits.input ? { rawInput: args } : {}
}
