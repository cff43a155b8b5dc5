// Freezes the tools that requests carry, so that provider caches hit. use_tool calls later ones.
import { Type } from '@sinclair/typebox'
import { of } from 'rxjs'
import { useToolName } from '../../streams/messages/inner-call.ts'
import { defineTool } from '../../streams/tool-definition/define-tool.ts'
import { errorResult } from '../../streams/ports/tool.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'

/** The tools of a request. */
export interface SentList {
  /** The tools that were active when the list was made; the system prompt describes them. */
  readonly listed: readonly AnyTool[]
  /** The same with `use_tool`. */
  readonly sent: readonly AnyTool[]
}

export interface SentTools {
  /** The frozen list; else the one that a request would freeze now. */
  listFor(active: readonly AnyTool[]): SentList
  /** Called for each request: the first one with tools freezes them. */
  freeze(active: readonly AnyTool[]): void
  /** The next request freezes the tools that are active then: nothing of the old prefix is cached any more. */
  thaw(): void
}

/**
 * The description is in each request: it is short. A call is run as the call that it names, and never as one of this
 * tool.
 */
export const useTool = defineTool({
  name: useToolName,
  description: 'Call a tool that a later message describes.',
  parameters: Type.Object({ name: Type.String(), arguments: Type.Object({}, { additionalProperties: true }) }),
  capability: 'read',
  execute: () => of(errorResult(`${useToolName} calls another tool`)),
})

/** @param prepare gives the tool its schema for a model, as the list's other tools have it */
export function createSentTools(prepare: (tool: AnyTool) => AnyTool): SentTools {
  let frozen: SentList | undefined
  let last: SentList | undefined
  const constant = prepare(useTool)
  // one list for the same tools: what is made of a list is made once
  const listOf = (active: readonly AnyTool[]): SentList => {
    if (last?.listed !== active) last = { listed: active, sent: active.length === 0 ? active : [...active, constant] }
    return last
  }
  return {
    listFor: (active) => frozen ?? listOf(active),
    freeze: (active) => {
      if (active.length > 0) frozen ??= listOf(active)
    },
    thaw: () => (frozen = undefined),
  }
}

/** Each request carries the active tools. */
export const unfrozenTools: SentTools = {
  listFor: (active) => ({ listed: active, sent: active }),
  freeze: () => undefined,
  thaw: () => undefined,
}
