// Tells the model which tools have joined or left since its list of tools was frozen.
// Guarantees: each message is looked at once, unless the head moves to another branch.
import type { ContextNote } from '../../streams/ports/context-notes.ts'
import { lastNoteOf } from '../../streams/messages/last-note.ts'
import { useToolName } from '../../streams/messages/inner-call.ts'
import type { Message } from '../../streams/messages/message.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import { isRecord } from '../../streams/values/json.ts'
import type { SentList } from './sent-tools.ts'

const kind = 'tools'

export interface ToolNotes {
  /** The note that the conversation lacks; undefined if it says what the model may call. */
  due(messages: readonly Message[], tools: NotedTools): ContextNote['note'] | undefined
}

interface NotedTools extends Pick<SentList, 'listed'> {
  /** The tools that the list and the notes describe. */
  readonly visible: readonly AnyTool[]
  /** The tools that can be called: also those that nothing describes. */
  readonly active: readonly AnyTool[]
}

/** A note is due until the conversation holds it: going back to an earlier entry makes it due again. */
export function toolNotes(): ToolNotes {
  const lastNote = lastNoteOf(kind)
  const digestOf = digestMemory()
  return {
    due: (messages, tools) => {
      const digest = digestOf(tools.visible)
      const before = lastNote(messages)?.digest ?? digestOf(tools.listed)
      if (before === digest) return undefined
      const content = noteText(readDigest(before), tools)
      return content === '' ? undefined : { kind, digest, content }
    },
  }
}

/** Makes the digest of a list once: `{"name":"hash of its definition"}`, by name. */
function digestMemory(): (tools: readonly AnyTool[]) => string {
  const known = new WeakMap<readonly AnyTool[], string>()
  return (tools) => {
    const made = known.get(tools) ?? JSON.stringify(Object.fromEntries(tools.map(entryOf).sort(byName)))
    known.set(tools, made)
    return made
  }
}

function entryOf(tool: AnyTool): readonly [string, string] {
  return [tool.name, hashOf(tool)]
}

function byName([left]: readonly [string, string], [right]: readonly [string, string]): number {
  return left < right ? -1 : 1
}

/** FNV-1a, 32 bits: it tells two definitions of one tool apart, and needs no platform. */
function hashOf(tool: AnyTool): string {
  const text = definitionOf(tool)
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(36)
}

function definitionOf({ name, description, parameters }: AnyTool): string {
  return JSON.stringify({ name, description, parameters })
}

/** Empty for a text of another program: every tool is then named anew. */
function readDigest(digest: string): ReadonlyMap<string, unknown> {
  try {
    const value: unknown = JSON.parse(digest)
    return new Map(isRecord(value) ? Object.entries(value) : [])
  } catch {
    return new Map()
  }
}

/** Empty if only tools that are still active are not described any more. */
function noteText(before: ReadonlyMap<string, unknown>, { listed, visible, active }: NotedTools): string {
  const added = visible.filter((tool) => before.get(tool.name) !== hashOf(tool))
  const isListed = (tool: AnyTool): boolean =>
    listed.some((other) => other === tool || (other.name === tool.name && definitionOf(other) === definitionOf(tool)))
  const described = added.filter((tool) => !isListed(tool)).map(definitionOf)
  const back = added.filter(isListed).map(({ name }) => name)
  const callable = new Set([...visible, ...active].map(({ name }) => name))
  const gone = [...before.keys()].filter((name) => !callable.has(name))
  return [
    ...(described.length === 0 ? [] : [`Call these tools through ${useToolName}:`, ...described]),
    ...(back.length === 0 ? [] : [`These tools can be called: ${back.join(', ')}.`]),
    ...(gone.length === 0 ? [] : [`These tools cannot be called now: ${gone.join(', ')}.`]),
  ].join('\n')
}
