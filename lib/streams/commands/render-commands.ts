// Schemas of what an extension draws for an event: texts, lists, diffs, and boxes of them.
import { Type } from '@sinclair/typebox'
import { isRecord } from '../values/json.ts'
import { SessionId } from '../values/identifiers.ts'

const text = Type.String()

const leafSchemas = [
  Type.Object({ type: Type.Literal('text'), text, look: Type.Optional(Type.String()) }),
  Type.Object({ type: Type.Literal('list'), items: Type.Array(text) }),
  Type.Object({ type: Type.Literal('diff'), diff: text }),
]

/** `look` of a text: `dim`, `strong`, `success`, `warning` or `danger`; others are plain. `diff` is a unified diff. */
export const RenderNode = Type.Union([
  ...leafSchemas,
  Type.Object({ type: Type.Literal('box'), title: Type.Optional(text), nodes: Type.Array(Type.Union(leafSchemas)) }),
])

export type RenderLeaf =
  | { readonly type: 'text'; readonly text: string; readonly look?: string }
  | { readonly type: 'list'; readonly items: readonly string[] }
  | { readonly type: 'diff'; readonly diff: string }
export type RenderNode =
  | RenderLeaf
  | { readonly type: 'box'; readonly title?: string; readonly nodes: readonly RenderLeaf[] }

export const renderParameters = {
  /**
   * Lets the extension draw the event at `seq`: `custom`, `tool_execution_end` or `message_end`. `nodes` is absent if none draws
   * it, or its renderer fails: the client shows what it shows without one.
   */
  render_event: { session: SessionId, seq: Type.Integer({ minimum: 1 }) },
}

export const renderResults = {
  render_event: {
    extension: Type.Optional(text),
    nodes: Type.Optional(Type.Array(Type.Unsafe<RenderNode>(RenderNode))),
  },
}
export type RenderedEvent = { readonly extension?: string; readonly nodes?: readonly RenderNode[] }

/** Nodes with those in boxes, and characters of an answer. */
const mostNodes = 200
const mostCharacters = 65_536

/** A copy of known fields alone. @returns the nodes, or why they are none */
export function checkNodes(answer: unknown): readonly RenderNode[] | string {
  const value = isRecord(answer) ? answer['nodes'] : undefined
  if (!Array.isArray(value)) return 'a renderer answers with { nodes: […] }'
  const budget = { nodes: mostNodes, characters: mostCharacters }
  const nodes: RenderNode[] = []
  for (const each of value as readonly unknown[]) {
    const node = boxOf(each, budget) ?? leafOf(each, budget)
    if (node === undefined) return `a node of the type ${typeOf(each)} is no text, list, diff or box`
    nodes.push(node)
  }
  if (budget.nodes < 0) return `there are more than ${mostNodes} nodes`
  return budget.characters < 0 ? `there are more than ${mostCharacters} characters` : nodes
}

function typeOf(value: unknown): string {
  return isRecord(value) && typeof value['type'] === 'string' ? value['type'].slice(0, 100) : 'undefined'
}

interface Budget {
  nodes: number
  characters: number
}

function boxOf(value: unknown, budget: Budget): RenderNode | undefined {
  if (!isRecord(value) || value['type'] !== 'box' || !Array.isArray(value['nodes'])) return undefined
  const { title = '', nodes } = value
  if (typeof title !== 'string') return undefined
  budget.nodes -= 1
  budget.characters -= title.length
  const inside = (nodes as readonly unknown[]).map((each) => leafOf(each, budget))
  const leaves = inside.filter((each) => each !== undefined)
  if (leaves.length < inside.length) return undefined
  return { type: 'box', ...(title === '' ? {} : { title }), nodes: leaves }
}

function leafOf(value: unknown, budget: Budget): RenderLeaf | undefined {
  if (!isRecord(value)) return undefined
  budget.nodes -= 1
  const { type, text: words, look, items, diff } = value
  const count = (each: string): string => {
    budget.characters -= each.length
    return each
  }
  if (type === 'text' && typeof words === 'string')
    return { type, text: count(words), ...(typeof look === 'string' ? { look } : {}) }
  if (type === 'list' && Array.isArray(items) && items.every((each) => typeof each === 'string'))
    return { type, items: items.map(count) }
  return type === 'diff' && typeof diff === 'string' ? { type, diff: count(diff) } : undefined
}

/** The nodes without any look, for output that is no screen. */
export function nodesAsText(nodes: readonly RenderNode[]): string {
  return nodes.map(nodeAsText).join('\n')
}

function nodeAsText(node: RenderNode): string {
  switch (node.type) {
    case 'text':
      return node.text
    case 'list':
      return node.items.map((item) => `- ${item}`).join('\n')
    case 'diff':
      return node.diff
    case 'box': {
      const inside = node.nodes
        .map(nodeAsText)
        .join('\n')
        .split('\n')
        .map((line) => `  ${line}`)
      return [...(node.title === undefined ? [] : [node.title]), ...inside].join('\n')
    }
  }
}
