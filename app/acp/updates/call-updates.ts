// Converts the events of tool calls into updates of ACP, one entity a call.
import type { SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import type { InnerCall } from '../../../lib/streams/messages/inner-call.ts'
import type { UserContent } from '../../../lib/streams/messages/message.ts'
import { formatBytes } from '../../../lib/streams/values/format-bytes.ts'
import { isRecord } from '../../../lib/streams/values/json.ts'
import { firstUnits } from '../../../lib/streams/values/truncate.ts'
import { kindOf, locationsOf, titleOf } from './call-title.ts'
import { diffContent, requestedDiff } from './diff-content.ts'
import {
  addOutput,
  drawnTerminal,
  drawnView,
  endedOutput,
  takeOutput,
  terminalContent,
  textView,
} from './output-view.ts'
import type { OutputView, ShownOutput } from './output-view.ts'

type Arguments = Readonly<Record<string, unknown>>

interface KnownCall {
  readonly name: string
  readonly args: Arguments
  readonly view: OutputView
}

/** UTF-16 units of a result, and of the JSON of arguments. */
const limits = { result: 32_768, input: 65_536 } as const

/** The calls of one session. Holds those that have no end yet. */
export class CallUpdates {
  readonly #cwd: string
  readonly #open = new Map<string, KnownCall>()
  readonly #printing = new Set<string>()
  readonly #showsOutput: boolean

  /** @param cwd absolute folder of the session @param showsOutput the editor draws the output of commands as terminals */
  constructor(cwd: string, showsOutput = false) {
    this.#cwd = cwd
    this.#showsOutput = showsOutput
  }

  /** The model has begun to write a call. */
  announce(toolCallId: string, name: string): SessionUpdate[] {
    if (this.#open.has(toolCallId)) return []
    const title = titleOf(name, {})
    const described = { toolCallId, title, name, kind: kindOf(name), status: 'pending' as const }
    return [{ sessionUpdate: 'tool_call', ...described, ...this.#begin(toolCallId, name, {}) }]
  }

  /** The arguments are complete. */
  describe({ id: toolCallId, name, arguments: args }: InnerCall): SessionUpdate[] {
    const known = this.#open.get(toolCallId)
    if (known !== undefined) this.#open.set(toolCallId, { ...known, name, args })
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
    if (known !== undefined) return [{ sessionUpdate: 'tool_call_update', ...described }]
    return [{ sessionUpdate: 'tool_call', ...described, ...this.#begin(toolCallId, name, args) }]
  }

  /** Holds a new call; returns the fields that show its output from the beginning. */
  #begin(toolCallId: string, name: string, args: Arguments): ShownOutput {
    const isDrawn = this.#showsOutput && name === 'bash'
    this.#open.set(toolCallId, { name, args, view: isDrawn ? drawnView : textView })
    return isDrawn ? drawnTerminal(toolCallId, this.#cwd) : {}
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
    this.#open.set(toolCallId, { ...call, view: addOutput(call.view, content) })
    if (call.view.as !== 'client') this.#printing.add(toolCallId)
  }

  /** The command of a call runs in a terminal of the editor. */
  showTerminal(toolCallId: string, terminalId: string): SessionUpdate[] {
    const call = this.#open.get(toolCallId)
    if (call === undefined) return [] // it has ended, or the editor has no such call
    this.#open.set(toolCallId, { ...call, view: { as: 'client', terminalId } })
    return [{ sessionUpdate: 'tool_call_update', toolCallId, content: [terminalContent(terminalId)] }]
  }

  /** Returns the end of the output of each call that has printed since the last time. */
  takeOutput(): SessionUpdate[] {
    const printing = [...this.#printing]
    this.#printing.clear()
    return printing.flatMap((toolCallId): SessionUpdate[] => {
      const call = this.#open.get(toolCallId)
      if (call === undefined) return []
      const { view, shown } = takeOutput(call.view, toolCallId)
      this.#open.set(toolCallId, { ...call, view })
      return [{ sessionUpdate: 'tool_call_update', toolCallId, ...shown }]
    })
  }

  end({ toolCallId, toolName, isError, content, details }: CallEnd): SessionUpdate[] {
    const announced = this.announce(toolCallId, toolName)
    const { args, view } = this.#open.get(toolCallId) ?? { args: {}, view: textView }
    this.#open.delete(toolCallId)
    this.#printing.delete(toolCallId)
    const facts = isRecord(details) ? details : {}
    const locations = locationsOf({ ...args, ...facts }, this.#cwd, facts['firstChangedLine'])
    const update: SessionUpdate = {
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: isError ? 'failed' : 'completed',
      ...(commandEnd(toolCallId, view, content, facts) ?? {
        content: resultContent({ isError, content, facts, file: locations[0]?.path }),
      }),
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

/** Undefined if the result is not that of a command whose output the editor shows. */
function commandEnd(
  toolCallId: string,
  view: OutputView,
  content: CallEnd['content'],
  { exitCode, signal }: Arguments,
): ShownOutput | undefined {
  if (exitCode === undefined) return undefined
  return endedOutput(view, toolCallId, {
    exitCode: typeof exitCode === 'number' ? exitCode : null,
    signal: typeof signal === 'string' ? signal : null,
    text: content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
  })
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
    text.length <= limits.result ? text : `${firstUnits(text, limits.result)}\n[cut: ${text.length} characters]`
  return { type: 'content', content: { type: 'text', text: shown } }
}

/** Large arguments are left out: the texts of files are in the diff. */
function inputOf(args: Arguments): { readonly rawInput?: Arguments } {
  return JSON.stringify(args).length <= limits.input ? { rawInput: args } : {}
}
