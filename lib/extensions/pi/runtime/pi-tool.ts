// Makes a tool of a module of pi a tool of rxpi.
import type { TObject } from '@sinclair/typebox'
import { Observable } from 'rxjs'
import { progress } from '../../../streams/ports/tool.ts'
import type { AnyTool, ToolProgress, ToolResult } from '../../../streams/ports/tool.ts'
import type { UserContent } from '../../../streams/messages/message.ts'
import { describeThrown } from '../../../streams/values/failure.ts'
import type { PiRuntime } from '../contract/pi-runtime.ts'
import { contentText } from '../contract/pi-shapes.ts'
import type { PiTool, PiToolResult } from '../contract/pi-shapes.ts'

/** It has no time limit of its own: pi's tools end by their signal. */
export function piTool(runtime: PiRuntime, tool: PiTool): AnyTool {
  const { name, label, description, parameters, executionMode, prepareArguments } = tool
  return {
    name,
    description,
    parameters: JSON.parse(JSON.stringify(parameters)) as TObject, // a schema is JSON; symbols of its library are left out
    mustSerial: executionMode === 'sequential',
    timeoutMs: 0,
    ...(label !== undefined && { origin: { server: runtime.path, label } }),
    ...(prepareArguments && { prepareArguments: (args) => asArguments(prepareArguments.call(tool, args), args) }),
    execute: (args: never, { toolCallId }) => execution(runtime, tool, toolCallId, args),
  }
}

function asArguments(prepared: unknown, args: Record<string, unknown>): Record<string, unknown> {
  return typeof prepared === 'object' && prepared !== null ? { ...prepared } : args
}

/** Emits updates and one result; unsubscribing aborts the signal that the tool has. */
function execution(runtime: PiRuntime, tool: PiTool, id: string, args: unknown): Observable<ToolProgress | ToolResult> {
  return new Observable((subscriber) => {
    const controller = new AbortController()
    let shown = ''
    const update = (partial: PiToolResult): void => {
      const text = contentText(partial.content)
      const piece = newPart(shown, text)
      shown = text
      if (piece !== '') subscriber.next(progress(piece))
    }
    const call = async (): Promise<PiToolResult | undefined> =>
      tool.execute(id, args, controller.signal, update, runtime.context)
    void call().then(
      (result) => {
        subscriber.next(toolResult(result))
        subscriber.complete()
      },
      (error: unknown) => {
        const text = error instanceof Error ? error.message : describeThrown(error)
        subscriber.next({ type: 'result', content: [{ type: 'text', text }], isError: true })
        subscriber.complete()
      },
    )
    return () => {
      controller.abort()
    }
  })
}

/** UTF-16 units by which the end of the last update is found in one that lacks its beginning. */
const anchorLength = 256

/** An update of pi takes the place of the last one: what it adds, or the whole of another text on a line of its own. */
function newPart(shown: string, text: string): string {
  if (text.startsWith(shown)) return text.slice(shown.length)
  const anchor = shown.slice(-anchorLength)
  const at = anchor.length < anchorLength ? -1 : text.lastIndexOf(anchor)
  return at === -1 ? `\n${text}` : text.slice(at + anchor.length)
}

/** As in pi, only a throw is an error. */
function toolResult({ content = [], details, terminate }: PiToolResult = {}): ToolResult {
  return {
    type: 'result',
    content: content as readonly UserContent[], // pi's parts are of the same form
    ...(details !== undefined && { details }),
    ...(terminate === true && { terminate }),
  }
}

/** Describes a module's tools for the system prompt. */
export function toolPrompt(tools: readonly PiTool[]): string {
  const snippets = tools.flatMap(({ name, promptSnippet }) =>
    promptSnippet === undefined ? [] : [`- ${name}: ${promptSnippet}`],
  )
  const guidelines = new Set(tools.flatMap(({ promptGuidelines = [] }) => promptGuidelines.map((line) => `- ${line}`)))
  return [
    ...(snippets.length > 0 ? ['Further tools:', ...snippets] : []),
    ...(guidelines.size > 0 ? ['Rules of these tools:', ...guidelines] : []),
  ].join('\n')
}
