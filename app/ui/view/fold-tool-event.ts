// Folds the events of a tool call, and what extensions draw for its result.
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import type { RenderNode } from '../../../lib/streams/commands/render-commands.ts'
import { boundedTail, newToolItem } from './view-item.ts'
import type { ToolItem, ViewItem } from './view-item.ts'
import type { Drawn, ViewInput } from './view-input.ts'
import type { View } from './view.ts'

type ToolEvent = EventNamed<'tool_execution_start' | 'tool_execution_update' | 'tool_execution_end'>

/** @param at Unix ms, 0 if unknown */
export function foldToolEvent(view: View, event: ToolEvent, at: number): View {
  const { toolCallId } = event
  const known = view.live.find((item) => item.kind === 'tool' && item.id === toolCallId)
  if (known?.kind !== 'tool') return event.type === 'tool_execution_start' ? addCall(view, event, at) : view
  const next = foldCall(known, event, at)
  return { ...view, live: view.live.map((item) => (item === known ? next : item)) }
}

/** Adds a call whose message was not received. */
function addCall(view: View, event: EventNamed<'tool_execution_start'>, at: number): View {
  const { toolCallId: id, toolName: name, entryId: block } = event
  return { ...view, live: [...view.live, foldCall(newToolItem({ id, name, block, state: 'waiting' }), event, at)] }
}

function foldCall(item: ToolItem, event: ToolEvent, at: number): ToolItem {
  switch (event.type) {
    case 'tool_execution_start': {
      const args = event.args ?? item.args
      return {
        ...item,
        name: event.toolName,
        state: 'running',
        ...(at === 0 ? {} : { startedAt: at }),
        ...(args === undefined ? {} : { args }),
      }
    }
    case 'tool_execution_update':
      return {
        ...item,
        tail: boundedTail(item.tail + event.content, 8_192),
        ...(event.progressPercent === undefined ? {} : { progressPercent: event.progressPercent }),
      }
    case 'tool_execution_end': {
      const { isError, content, details, durationMs } = event
      return {
        ...item,
        state: 'done',
        tail: '',
        isError,
        content,
        durationMs,
        ...(details === undefined ? {} : { details }),
      }
    }
  }
}

type DrawingInput = Extract<ViewInput, { readonly type: 'tool_drawing' | 'tool_drawn' | 'history_drawn' }>

/** Folds what extensions draw for results and messages. */
export function foldDrawing(view: View, input: DrawingInput): View {
  if (input.type === 'history_drawn') return foldDrawnHistory(view, input.drawn)
  const { toolCallId } = input
  const change = (item: ToolItem): ToolItem => {
    if (input.type === 'tool_drawing') return { ...item, isDrawing: true }
    const { isDrawing: _, ...drawn } = item
    return input.nodes.length === 0 ? drawn : { ...drawn, nodes: input.nodes }
  }
  return {
    ...view,
    live: view.live.map((item) => (item.kind === 'tool' && item.id === toolCallId ? change(item) : item)),
  }
}

/** Begins the screen again, because the items are written already. */
function foldDrawnHistory(view: View, drawn: readonly Drawn[]): View {
  if (drawn.length === 0) return view
  const next = drawn.reduce(addDrawn, view)
  const finishedCount = view.finishedCount + next.finished.length - view.finished.length
  return { ...next, finishedCount, generation: view.generation + 1 }
}

function addDrawn(view: View, drawn: Drawn): View {
  const { nodes } = drawn
  if (!('toolCallId' in drawn)) return addBelow(view, drawn.entryId, nodes)
  const drawResult = (item: ViewItem): ViewItem =>
    item.kind === 'tool' && item.id === drawn.toolCallId ? { ...item, nodes } : item
  return { ...view, finished: view.finished.map(drawResult), live: view.live.map(drawResult) }
}

/** Below the last item of the message; not at all if it is gone. */
function addBelow(view: View, entryId: string, nodes: readonly RenderNode[]): View {
  const list = view.live.some((item) => isOfEntry(item, entryId)) ? 'live' : 'finished'
  const last = view[list].findLastIndex((item) => isOfEntry(item, entryId))
  if (last === -1) return view
  const item: ViewItem = { kind: 'rendered', id: `drawn-${entryId}`, nodes }
  return { ...view, [list]: view[list].toSpliced(last + 1, 0, item) }
}

function isOfEntry(item: ViewItem, entryId: string): boolean {
  const id = item.kind === 'tool' ? item.block : item.id
  return id === entryId || id.startsWith(`${entryId}/`)
}
