// Answers of the demo model: first the tool call, then a summary of its result.
import type { ScriptedAnswer, ScriptedCall } from '../../streams/config/script-file.ts'
import type { Model } from '../../streams/models/model.ts'
import type { Message, ToolCall, UserContent } from '../../streams/messages/message.ts'

/** Explains how to get a real model, in one sentence. */
export const realModelHint =
  'For a real model store a key (rxpi auth set <provider>, or /login in the terminal UI), set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, or name one that runs here, for instance --model ollama/<id> (Ollama), lmstudio/<id>, vllm/<id> or llamacpp/<id>.'

/** The model `demo/guide`, which answers without a key and without a network. */
export const demoModel: Model = {
  id: 'guide',
  provider: 'demo',
  api: 'demo',
  name: 'Guide (demo)',
  inputs: ['text'],
  reasoning: false,
  prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  notice: `demo/guide is not a language model: it follows a few fixed rules and drives the real tools with them. ${realModelHint}`,
}

const longestQuote = 4000

/** Follows every answer that could pass for a model's. */
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
    isError ? `${path} could not be read: ${text}` : `${path} holds:\n\n${codeBlock(text)}`,
  )
}

/** The user's command, unchanged. */
export function outputAnswer(command: string, turn: DemoTurn): ScriptedAnswer {
  const call = { name: 'bash', arguments: { command } }
  return callThen(
    call,
    turn,
    (text, isError) => `\`${command}\` ${isError ? 'failed' : 'printed'}:\n\n${codeBlock(text)}`,
  )
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
  describe: (text: string, isError: boolean) => string,
): ScriptedAnswer {
  const step = steps.find(({ tool }) => tool === call.name)
  if (step === undefined) return { text: `I call ${call.name}.`, toolCalls: [call] }
  return { text: `${describe(step.text, step.isError)}\n\n${byRules}` }
}

function codeBlock(text: string): string {
  const shown =
    text.length > longestQuote
      ? `${text.slice(0, longestQuote)}\n… (${text.length - longestQuote} more characters)`
      : text
  return `\`\`\`\n${shown.trimEnd()}\n\`\`\``
}

export interface DemoStep {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** The result's text. */
  readonly text: string
  readonly isError: boolean
}

export interface DemoTurn {
  /** The text of the last user message. */
  readonly question: string
  /** The calls for that message that have a result, in order. */
  readonly steps: readonly DemoStep[]
}

export function demoTurn(messages: readonly Message[]): DemoTurn {
  const questionIndex = messages.findLastIndex(({ role }) => role === 'user')
  const question = messages[questionIndex]
  const calls = new Map<string, ToolCall>()
  const steps: DemoStep[] = []
  for (const message of messages.slice(questionIndex + 1)) {
    if (message.role === 'assistant') {
      for (const block of message.content) if (block.type === 'toolCall') calls.set(block.id, block)
    } else if (message.role === 'toolResult') {
      const call = calls.get(message.toolCallId)
      const { toolName: tool, content, isError } = message
      steps.push({ tool, arguments: call?.arguments ?? {}, text: textOf(content), isError })
    }
  }
  return { question: question?.role === 'user' ? textOf(question.content) : '', steps }
}

function textOf(content: string | readonly UserContent[]): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.mimeType}]`)).join('\n')
}

export type DemoIntent =
  | { readonly kind: 'look' | 'help' | 'unknown' }
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'edit'; readonly path: string; readonly from: string; readonly to: string }

const look =
  /\b(?:what(?:'s| is| are)?\b.*\b(?:in|inside)\b.*\b(?:folder|directory|repo(?:sitory)?|project|here)|what is this (?:folder|directory|repo(?:sitory)?|project)|list (?:the |all )?files|which files|show me (?:the |this )?(?:files|folder|directory|project)|look around|describe (?:the |this )(?:folder|directory|repo(?:sitory)?|project))\b/i
const help = /^\s*(?:help|what can you do|who are you|what are you|hello|hi|hey)\b/i
const read = /^\s*(?:please )?(?:read|open|show|cat)(?: me)?(?: the)?(?: file)? (\S+?)[.?!]?\s*$/i
const run = /^\s*(?:please )?(?:run|execute):? (.+)$/is
const write = /^\s*(?:please )?(?:write|create)(?: the)?(?: file)? (\S+?)(?: with|:) (.+)$/is
const edit = /^\s*(?:please )?(?:in (\S+?),? )?(?:replace|change) (.+?) (?:with|to|by) (.+?)(?: in (\S+?))?[.!]?\s*$/is

/** The first pattern that matches counts; quotes and back-ticks around names are dropped. */
export function demoIntent(question: string): DemoIntent {
  const changed = edit.exec(question)
  const path = changed?.[1] ?? changed?.[4]
  if (changed !== null && path !== undefined) {
    return { kind: 'edit', path: unquote(path), from: unquote(changed[2] ?? ''), to: unquote(changed[3] ?? '') }
  }
  const written = write.exec(question)
  if (written !== null) return { kind: 'write', path: unquote(written[1] ?? ''), content: unquote(written[2] ?? '') }
  if (look.test(question)) return { kind: 'look' }
  const command = run.exec(question)?.[1]
  if (command !== undefined) return { kind: 'run', command: unquote(command.trim()) }
  const file = read.exec(question)?.[1]
  if (file !== undefined) return { kind: 'read', path: unquote(file) }
  return { kind: help.test(question) ? 'help' : 'unknown' }
}

function unquote(text: string): string {
  return /^(["'`])(.*)\1$/s.exec(text)?.[2] ?? text
}
