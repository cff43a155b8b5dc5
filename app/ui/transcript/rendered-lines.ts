// Formats what an extension draws for an event: texts, lists, diffs and boxes.
import type { RenderLeaf, RenderNode } from '../../../lib/streams/commands/render-commands.ts'
import { span, spanLines } from '../text/span.ts'
import type { Line, Span } from '../text/span.ts'
import { wrapLine } from '../text/wrap-line.ts'
import type { Role } from '../theme/theme.ts'
import { patchLines } from './diff-lines.ts'

const looks: ReadonlySet<string> = new Set<Role>(['dim', 'strong', 'success', 'warning', 'danger'])

/** Every text is made safe: a node brings no escape sequence (docs/design/security.md#S19). */
export function renderedLines(nodes: readonly RenderNode[], columns: number): Line[] {
  return nodes.flatMap((node) => (node.type === 'box' ? boxLines(node, columns) : leafLines(node, columns, '  ')))
}

function boxLines({ title, nodes }: Extract<RenderNode, { type: 'box' }>, columns: number): Line[] {
  const head = title === undefined ? [] : wrapped([span(title, 'strong')], columns, '  ')
  return [...head, ...nodes.flatMap((node) => leafLines(node, columns, '  │ '))]
}

function leafLines(node: RenderLeaf, columns: number, indent: string): Line[] {
  switch (node.type) {
    case 'text': {
      const role = looks.has(node.look ?? '') ? (node.look as Role) : 'plain' // one of the set
      return spanLines(node.text, role).flatMap((line) => wrapped(line, columns, indent))
    }
    case 'list':
      return node.items.flatMap((item) => {
        const front = span(`${indent}• `, 'dim')
        return wrapLine([span(item)], { columns, first: [front], rest: [span(`${indent}  `, 'dim')] })
      })
    case 'diff':
      return patchLines(node.diff, columns - indent.length).map((line) => [span(indent, 'dim'), ...line])
  }
}

function wrapped(line: readonly Span[], columns: number, indent: string): Line[] {
  return wrapLine([...line], { columns, first: [span(indent, 'dim')], rest: [span(indent, 'dim')] })
}
