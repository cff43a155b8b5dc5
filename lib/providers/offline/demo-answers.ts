// What the demo model says: first the call that does the work, then what came of it, in its own few words.
import type { ScriptedAnswer, ScriptedCall } from '../../streams/config/script-file.ts'
import type { DemoIntent } from './demo-intent.ts'
import { realModelHint } from './demo-model.ts'
import type { DemoTurn } from './demo-turn.ts'

const longestQuote = 4000

/** Stands under every answer that could be taken for a model's. */
export const byRules = "(Put together by the demo model's rules from the tools' results; it is not a language model.)"

const abilities = [
  'I am the demo model: a few fixed rules, not a language model. I drive the real tools on your real folder. Try:',
  '- What is in this folder?\n- read README.md\n- run git status\n- write notes.txt: hello\n- in notes.txt replace hello with goodbye',
].join('\n\n')

export const helpAnswer: ScriptedAnswer = { text: `${abilities}\n\n${realModelHint}` }

export const unknownAnswer: ScriptedAnswer = {
  text: `That is beyond my rules, and I do not guess. ${abilities}\n\n${realModelHint}`,
}

export function readAnswer(path: string, turn: DemoTurn): ScriptedAnswer {
  const call = { name: 'read', arguments: { path } }
  return callThen(call, turn, (text, isError) =>
    isError ? `${path} could not be read: ${text}` : `${path} holds:\n\n${quoted(text)}`,
  )
}

/** The user's own command, as it was typed. */
export function outputAnswer(command: string, turn: DemoTurn): ScriptedAnswer {
  const call = { name: 'bash', arguments: { command } }
  return callThen(call, turn, (text, isError) => `\`${command}\` ${isError ? 'failed' : 'printed'}:\n\n${quoted(text)}`)
}

export function changeAnswer(intent: Extract<DemoIntent, { kind: 'write' | 'edit' }>, turn: DemoTurn): ScriptedAnswer {
  const { path } = intent
  const call: ScriptedCall =
    intent.kind === 'write'
      ? { name: 'write', arguments: { path, content: `${intent.content}\n` } }
      : { name: 'edit', arguments: { path, edits: [{ oldText: intent.from, newText: intent.to }] } }
  return callThen(call, turn, (text, isError) => (isError ? `${path} was not changed: ${text}` : text))
}

function callThen(
  call: ScriptedCall,
  { steps }: DemoTurn,
  say: (text: string, isError: boolean) => string,
): ScriptedAnswer {
  const step = steps.find(({ tool }) => tool === call.name)
  if (step === undefined) return { text: `I call ${call.name}.`, toolCalls: [call] }
  return { text: `${say(step.text, step.isError)}\n\n${byRules}` }
}

function quoted(text: string): string {
  const shown =
    text.length > longestQuote
      ? `${text.slice(0, longestQuote)}\n… (${text.length - longestQuote} more characters)`
      : text
  return `\`\`\`\n${shown.trimEnd()}\n\`\`\``
}
