// Shows the output of one call: as text, as a drawn terminal, or in a terminal of the editor.
import type { ToolCallContent } from '@agentclientprotocol/sdk'
import { lastUnits } from '../../../lib/streams/values/truncate.ts'

/** The fields of an update that show output. */
export interface ShownOutput {
  readonly content?: ToolCallContent[]
  readonly _meta?: Record<string, unknown>
}

/** UTF-16 units of output of a running call: as text, and between two updates of a drawn terminal. */
const limits = { tail: 4_096, pending: 32_768 } as const

/**
 * `text`: the end of the output. `drawn`: rxpi runs the command, and the editor draws its output as a terminal by the
 * convention `_meta.terminal_output` of Zed. `client`: the command runs in a terminal of the editor.
 */
export type OutputView =
  | { readonly as: 'text'; readonly tail: string }
  | { readonly as: 'drawn'; readonly pending: string; readonly hasOutput: boolean }
  | { readonly as: 'client'; readonly terminalId: string }

export const textView: OutputView = { as: 'text', tail: '' }
export const drawnView: OutputView = { as: 'drawn', pending: '', hasOutput: false }

/** The view with a piece of output more; the same view if the editor has it already. */
export function addOutput(view: OutputView, piece: string): OutputView {
  switch (view.as) {
    case 'text':
      return { ...view, tail: lastUnits(view.tail + piece, limits.tail) }
    case 'drawn': {
      const pending = view.pending + piece
      const shown =
        pending.length <= limits.pending ? pending : `${missing}${lastUnits(pending, limits.pending - missing.length)}`
      return { ...view, pending: shown }
    }
    case 'client':
      return view
  }
}

const missing = '[…]\n'

/** Takes the output since the last time; returns the view after it. */
export function takeOutput(view: OutputView, toolCallId: string): { view: OutputView; shown: ShownOutput } {
  switch (view.as) {
    case 'text':
      return { view, shown: { content: [{ type: 'content', content: { type: 'text', text: view.tail } }] } }
    case 'drawn':
      return { view: { as: 'drawn', pending: '', hasOutput: true }, shown: outputPart(toolCallId, view.pending) }
    case 'client':
      return { view, shown: {} }
  }
}

/** The fields of a new call whose output is drawn. */
export function drawnTerminal(toolCallId: string, cwd: string): Required<ShownOutput> {
  return {
    content: [terminalContent(toolCallId)],
    _meta: { terminal_info: { terminal_id: toolCallId, cwd } },
  }
}

export interface EndedCommand {
  readonly exitCode: number | null
  readonly signal: string | null
  /** The result, as the model reads it. */
  readonly text: string
}

/** The fields of the end of a command. Undefined: its result is shown as text. */
export function endedOutput(view: OutputView, toolCallId: string, ended: EndedCommand): ShownOutput | undefined {
  switch (view.as) {
    case 'text':
      return undefined
    case 'drawn': {
      const { exitCode, signal, text } = ended
      const data = view.hasOutput || view.pending !== '' ? `${view.pending}${remarksOf(text)}` : text
      const exit = { terminal_exit: { terminal_id: toolCallId, exit_code: exitCode, signal } }
      return {
        content: [terminalContent(toolCallId)],
        _meta: data === '' ? exit : { ...outputPart(toolCallId, data)._meta, ...exit },
      }
    }
    case 'client': {
      const remarks = remarksOf(ended.text).trim()
      const words: ToolCallContent[] =
        remarks === '' ? [] : [{ type: 'content', content: { type: 'text', text: remarks } }]
      return { content: [terminalContent(view.terminalId), ...words] }
    }
  }
}

export function terminalContent(terminalId: string): ToolCallContent {
  return { type: 'terminal', terminalId }
}

function outputPart(toolCallId: string, data: string): ShownOutput {
  return { _meta: { terminal_output: { terminal_id: toolCallId, data } } }
}

/** The lines in brackets at the end of a result: what the output itself does not show. */
function remarksOf(text: string): string {
  const lines = text.split('\n')
  let first = lines.length
  while (first > 0 && /^\[.*\]$/.test(lines[first - 1] ?? '')) first -= 1
  return first === lines.length ? '' : `\n${lines.slice(first).join('\n')}\n`
}
