// Reads facts off syntax: what a loop assigns, what leaves the shell, and endless loops of jobs.
import { forEachChild } from 'unbash'
import type { CompoundCommand, PipelineNode, SyntaxNode } from 'unbash'

type Loop = Extract<CompoundCommand, { type: 'While' | 'ArithmeticFor' }>

/** True if the loop never ends by itself and each turn leaves a process in the background without waiting. */
export function isEndlessBody(loop: Loop): boolean {
  if (!isEndless(loop)) return false
  const facts = { spawns: false, waits: false }
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Statement' && node.background === true) {
      facts.spawns = true
      return
    }
    if (node.type === 'Command' && /^(?:wait|sleep|read|break|exit|return)$/.test(node.name?.value ?? '')) {
      facts.waits = true
    }
    if (node.type !== 'CommandExpansion') forEachChild(node, visit)
  }
  visit(loop.body)
  return facts.spawns && !facts.waits
}

function isEndless(loop: Loop): boolean {
  if (loop.type === 'ArithmeticFor') return loop.test === undefined
  const [only, ...others] = loop.clause.commands
  if (only === undefined || others.length > 0 || only.command.type === 'AndOr') return false
  const { command } = only
  if (command.type === 'ArithmeticCommand') return loop.kind === 'while' && /^\s*[1-9]\d*\s*$/.test(command.body)
  if (command.type !== 'Command') return false
  const name = command.name?.value
  if (loop.kind === 'until') return name === 'false'
  return name === 'true' || name === ':'
}

/** Names of variables that are assigned anywhere below a node. */
export function assignedIn(node: SyntaxNode): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (child: SyntaxNode): void => {
    if (child.type === 'Assignment') names.add(child.name)
    else if (child.type === 'For' || child.type === 'Select') names.add(child.name.value)
    else if (child.type === 'Command' && child.name?.value === 'read') {
      for (const word of child.args) if (word.type === 'Word') names.add(word.value)
    } else if (child.type === 'ArithmeticWord' && /^[A-Za-z_]\w*$/.test(child.value)) names.add(child.value)
    if (child.type !== 'CommandExpansion' && child.type !== 'Subshell') forEachChild(child, visit)
  }
  forEachChild(node, visit)
  return names
}

/**
 * The words of `[[ … ]]` that bash evaluates as arithmetic or as the name of a variable: quotes do not keep an index
 * from it.
 */
export function evaluatedWords(node: SyntaxNode): readonly string[] {
  const words: string[] = []
  const visit = (child: SyntaxNode): void => {
    if (child.type === 'TestBinary' && /^-(?:eq|ne|lt|le|gt|ge)$/.test(child.operator))
      words.push(child.left.value, child.right.value)
    else if (child.type === 'TestUnary' && /^-[vR]$/.test(child.operator)) words.push(child.operand.value)
    forEachChild(child, visit)
  }
  visit(node)
  return words
}

/** True for `exit`, `return`, `continue` and `break`: what follows runs only if the command before succeeded. */
export function leavesShell(node: PipelineNode): boolean {
  return node.type === 'Command' && /^(?:exit|return|continue|break)$/.test(node.name?.value ?? '')
}

/** Two outputs one after the other, on lines of their own; an empty one adds none. */
export function joinOutputs(one: string, other: string): string {
  return one === '' ? other : other === '' ? one : `${one}\n${other}`
}
