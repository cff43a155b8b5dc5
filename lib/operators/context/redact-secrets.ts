// Replaces credentials in the context of a request by placeholders.
import { map } from 'rxjs'
import type { AgentContext, ContextTransform } from '../../streams/ports/agent-context.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { AssistantContent, Message, ToolCall, UserContent } from '../../streams/messages/message.ts'
import { parseReasoningDetails } from '../../streams/messages/parse-reasoning-details.ts'
import { mapShared } from './change-messages.ts'

export interface RedactSecretsOptions {
  /** Added to the built-in patterns, or used alone with `builtIn: false`. Each must be global. Default: none. */
  readonly patterns?: readonly SecretPattern[]
  /** True: search for the published forms of credentials. Default true. */
  readonly builtIn?: boolean
  /**
   * Known secrets, such as the values of environment variables; called for each request. Secrets shorter than 6 UTF-16
   * units are ignored: they occur in ordinary words.
   */
  readonly values?: () => Iterable<string>
}

/**
 * Puts `[redacted: …]` in place of credentials in the system prompt and in the messages: their text, the arguments of
 * tool calls and thinking. What has a cryptographic signature stays as it is, and so do images, because their API would
 * reject a change. The log keeps everything. A model that edits a file may write the placeholder back: instruct it not
 * to, or deny it such files.
 *
 * Ends and fails with its source; buffers nothing. It caches the redacted form of each message.
 * @throws Failure `bad_request` for a pattern that is not global
 */
export function redactSecrets({
  patterns = [],
  builtIn = true,
  values = () => [],
}: RedactSecretsOptions = {}): ContextTransform {
  const all = [...(builtIn ? secretPatterns : []), ...patterns]
  for (const { name, pattern } of all) if (!pattern.global) throw notGlobalFailure(name)
  let known = ''
  let redact = createRedactor(all, [])
  let redacted = new WeakMap<Message, Message>()

  const refreshSecrets = (): void => {
    const secrets = [...new Set(values())].filter((value) => value.length >= shortest)
    const key = JSON.stringify(secrets)
    if (key === known) return
    known = key
    redact = createRedactor(all, secrets)
    redacted = new WeakMap()
  }
  const cachedMessage = (message: Message): Message => {
    const before = redacted.get(message)
    if (before !== undefined) return before
    const made = redactMessage(message, redact)
    redacted.set(message, made)
    return made
  }
  return map((context) => {
    refreshSecrets()
    return replaceText(context, redact(context.system), mapShared(context.messages, cachedMessage))
  })
}

const shortest = 6

type Redact = (text: string) => string

function createRedactor(patterns: readonly SecretPattern[], secrets: readonly string[]): Redact {
  const longestFirst = secrets.toSorted((left, right) => right.length - left.length)
  return (text) => {
    let result = text
    for (const secret of longestFirst) result = result.replaceAll(secret, '[redacted: secret]')
    for (const { name, pattern } of patterns) result = result.replace(pattern, () => `[redacted: ${name}]`)
    return result
  }
}

function replaceText(context: AgentContext, system: string, messages: readonly Message[]): AgentContext {
  return system === context.system && messages === context.messages ? context : { ...context, system, messages }
}

function redactMessage(message: Message, redact: Redact): Message {
  if (message.role === 'assistant') {
    const content = mapShared(message.content, (block) => redactBlock(block, redact))
    return content === message.content ? message : { ...message, content }
  }
  if (typeof message.content !== 'string') return redactParts(message, message.content, redact)
  const text = redact(message.content)
  return text === message.content ? message : ({ ...message, content: text } as Message) // the role whose content is text
}

function redactParts<Role extends Message>(message: Role, parts: readonly UserContent[], redact: Redact): Role {
  if (!isList(parts)) return message // a custom role
  const content = mapShared(parts, (part) => (part.type === 'text' ? redactText(part, redact) : part))
  return content === parts ? message : { ...message, content }
}

function isList(parts: unknown): boolean {
  return Array.isArray(parts)
}

function redactText<Part extends { readonly text: string }>(part: Part, redact: Redact): Part {
  const text = redact(part.text)
  return text === part.text ? part : { ...part, text }
}

/** A word signs nothing: it names the phase of a text, or the field of thinking. */
const word = /^[A-Za-z][\w-]{0,39}$/

function isSigned(signature: string | undefined): boolean {
  return signature !== undefined && !word.test(signature)
}

/** A signed block stays: its API would reject a changed one. */
function redactBlock(block: AssistantContent, redact: Redact): AssistantContent {
  switch (block.type) {
    case 'text':
      return isSigned(block.textSignature) ? block : redactText(block, redact)
    case 'thinking': {
      const details = block.thinking === '' ? parseReasoningDetails(block.thinkingSignature ?? '') : undefined
      if (details !== undefined) return redactDetails(block, details, redact)
      if (isSigned(block.thinkingSignature)) return block
      const thinking = redact(block.thinking)
      return thinking === block.thinking ? block : { ...block, thinking }
    }
    case 'toolCall':
      return block.thoughtSignature === undefined ? redactCall(block, redact) : block
  }
}

/** Each detail is signed or not: text with a signature and encrypted data stay. */
function redactDetails<Block extends AssistantContent>(
  block: Block,
  details: readonly unknown[],
  redact: Redact,
): Block {
  const changed = mapShared(details, (detail) => (isSignedDetail(detail) ? detail : redactJson(detail, redact)))
  return changed === details ? block : { ...block, thinkingSignature: JSON.stringify(changed) }
}

function isSignedDetail(detail: unknown): boolean {
  if (typeof detail !== 'object' || detail === null) return false
  return ['signature', 'data'].some((field) => typeof (detail as Record<string, unknown>)[field] === 'string')
}

function redactCall(call: ToolCall, redact: Redact): ToolCall {
  const args = redactJson(call.arguments, redact) as ToolCall['arguments'] // an object becomes an object
  const { argumentsText } = call
  const text = argumentsText === undefined ? undefined : redact(argumentsText)
  if (args === call.arguments && text === argumentsText) return call
  return { ...call, arguments: args, ...(text === undefined ? {} : { argumentsText: text }) }
}

/** Redacts every string of the value, but no key. Returns the value itself if it has no secret. */
function redactJson(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return mapShared<unknown>(value, (each) => redactJson(each, redact))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const redacted = mapShared(entries, (entry) => {
    const made = redactJson(entry[1], redact)
    return made === entry[1] ? entry : ([entry[0], made] satisfies [string, unknown])
  })
  return redacted === entries ? value : Object.fromEntries(redacted)
}

function notGlobalFailure(name: string): Failure {
  return new Failure(
    'bad_request',
    `redactSecrets: the pattern "${name}" lacks the flag g and would find only the first secret; add the flag`,
  )
}

// The patterns match published forms of credentials, or known positions such as a URL. A guess by entropy would match
// code.

export interface SecretPattern {
  /** The text in the placeholder. */
  readonly name: string
  /** Global; matches the secret alone. Every repetition is bounded, so that no text takes more than linear time. */
  readonly pattern: RegExp
}

/** Matches the form as a whole word, not within a longer word or path. */
function token(form: string): RegExp {
  return new RegExp(`(?<![\\w-])(?:${form})(?![\\w-])`, 'g')
}

/** The built-in patterns. */
const secretPatterns: readonly SecretPattern[] = [
  {
    name: 'private key',
    // up to its end line, but never past another begin line; a key that was cut off matches by its fields and body
    pattern:
      /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:(?:(?!-----BEGIN )[\s\S]){0,16000}?-----END [A-Z ]{0,40}PRIVATE KEY-----|(?:\s{1,4}[A-Z][A-Za-z-]{2,30}: [^\n]{0,200}){0,4}[\w+/=\s\\]{0,16000})/g,
  },
  { name: 'OpenAI or Anthropic key', pattern: token('sk-[\\w-]{20,300}') },
  { name: 'GitHub token', pattern: token('gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\\w{22,255}') },
  { name: 'GitLab token', pattern: token('glpat-[\\w-]{20,100}') },
  { name: 'AWS key id', pattern: token('(?:AKIA|ASIA)[A-Z0-9]{16}') },
  { name: 'Google key', pattern: token('AIza[\\w-]{35}|ya29\\.[\\w-]{20,300}') },
  { name: 'Slack token', pattern: token('xox[abeoprs]-[A-Za-z0-9-]{10,250}') },
  { name: 'Stripe key', pattern: token('[rs]k_(?:live|test)_[A-Za-z0-9]{20,250}') },
  { name: 'npm token', pattern: token('npm_[A-Za-z0-9]{36}') },
  { name: 'Hugging Face token', pattern: token('hf_[A-Za-z0-9]{30,60}') },
  { name: 'JSON web token', pattern: token('eyJ[\\w-]{10,4000}\\.eyJ[\\w-]{10,8000}\\.[\\w-]{10,2000}') },
  {
    name: 'authorization',
    pattern: /(?<=\bauthorization["']?\s{0,5}[:=]\s{0,5}["']?(?:bearer|basic|token) {1,5})[\w.~+/=-]{8,4000}/gi,
  },
  {
    name: 'password in a URL',
    pattern: /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'`]{0,100}:)[^\s/:@"'`${}<>]{3,200}(?=@)/gi,
  },
  {
    name: 'value of a secret variable',
    pattern:
      /(?<=\b[A-Z][A-Z0-9_]{0,60}(?:_KEY|TOKEN|SECRET|PASSWORD|PASSWD)=["']?)(?=[^\s"']{0,200}\d)[^\s"'`$(){}<>]{12,400}/g,
  },
]
