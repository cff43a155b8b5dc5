// Reads what a request of AG-UI asks for: a prompt, results of the front end's tools, or answers.
import path from 'node:path'
import { describeProblem } from '../../../streams/schema/compiled-validator.ts'
import { Failure } from '../../../streams/values/failure.ts'
import type { UserContent } from '../../../streams/messages/message.ts'
import { isRecord } from '../../../streams/values/json.ts'
import type { ChannelResult } from '../../client-tools/answer-channel-calls.ts'
import { RunCancellation as validateCancellation, RunInput as validate } from './generated/run-validators.js'
import type { RunCancellation, RunInput } from './run-schemas.ts'

type InputMessage = RunInput['messages'][number]
export type ResumeEntry = NonNullable<RunInput['resume']>[number]
export type OfferedRunTool = NonNullable<RunInput['tools']>[number]

/** The result of a call that the front end ran. */
export interface FrontEndResult {
  readonly toolCallId: string
  readonly result: ChannelResult
}

/** A request's new input. */
export type RunRequest =
  | { readonly type: 'prompt'; readonly content: readonly UserContent[] }
  | { readonly type: 'answers'; readonly results: readonly FrontEndResult[]; readonly answers: readonly ResumeEntry[] }

/** Options of the front end beside the protocol, in `forwardedProps`. */
export interface RunOptions {
  /** The folder of a new session. Default: that of the server. */
  readonly cwd: string | undefined
  /** If the front end closes the stream of a run, the run goes on, or ends. Default: it goes on. */
  readonly onDisconnect: 'continue' | 'cancel'
  /** Where a prompt waits while a run is on. Default: it is refused. */
  readonly whileRunning: 'steer' | 'follow_up' | undefined
}

const choices = { onDisconnect: ['continue', 'cancel'], whileRunning: ['steer', 'follow_up'] } as const

/** @throws Failure `bad_request` that names the field */
export function runOptionsOf({ forwardedProps }: RunInput): RunOptions {
  const { cwd, rxpi } = isRecord(forwardedProps) ? forwardedProps : {}
  if (cwd !== undefined && (typeof cwd !== 'string' || !path.isAbsolute(cwd)))
    throw new Failure('bad_request', 'forwardedProps.cwd must be an absolute path.', { data: { field: 'cwd' } })
  const own = isRecord(rxpi) ? rxpi : {}
  const onDisconnect = choiceIn(own, 'onDisconnect') ?? 'continue'
  return { cwd, onDisconnect, whileRunning: choiceIn(own, 'whileRunning') }
}

function choiceIn<Name extends keyof typeof choices>(
  own: Readonly<Record<string, unknown>>,
  name: Name,
): (typeof choices)[Name][number] | undefined {
  const value = own[name]
  if (value === undefined) return undefined
  const choice = choices[name].find((each) => each === value)
  if (choice !== undefined) return choice
  throw new Failure('bad_request', `forwardedProps.rxpi.${name} must be ${choices[name].join(' or ')}.`, {
    data: { field: name },
  })
}

/** @throws Failure `bad_request` that names the field */
export function parseRunInput(value: unknown): RunInput {
  if (!validate(value)) throw new Failure('bad_request', `The request is invalid: ${describeProblem(validate)}.`)
  return value as RunInput // checked above
}

/** @throws Failure `bad_request` that names the field */
export function parseCancellation(value: unknown): RunCancellation {
  if (!validateCancellation(value))
    throw new Failure('bad_request', `The request is invalid: ${describeProblem(validateCancellation)}.`)
  return value as RunCancellation // checked above
}

/** @throws Failure `bad_request` if there is nothing to do, or for content that is neither text nor an image */
export function runRequestOf({ messages, resume = [] }: RunInput): RunRequest {
  const results = trailingResults(messages)
  if (results.length > 0 || resume.length > 0) return { type: 'answers', results, answers: resume }
  const last = messages.at(-1)
  if (last?.role !== 'user')
    throw new Failure('bad_request', 'The last message must be a prompt of the user, or the result of a tool.')
  return { type: 'prompt', content: contentOf(last) }
}

/** The results after the last message of another role. */
function trailingResults(messages: readonly InputMessage[]): readonly FrontEndResult[] {
  const from = messages.findLastIndex(({ role }) => role !== 'tool') + 1
  return messages.slice(from).map((message) => {
    const { toolCallId, error } = message
    if (toolCallId === undefined) throw new Failure('bad_request', 'A result of a tool lacks its toolCallId.')
    const isError = typeof error === 'string' && error !== ''
    const content = contentOf(message)
    const words: UserContent[] = isError && content.length === 0 ? [{ type: 'text', text: error }] : [...content]
    return { toolCallId, result: { content: words, ...(isError ? { isError } : {}) } }
  })
}

function contentOf({ content }: InputMessage): readonly UserContent[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return (content ?? []).map((part) => partOf(part))
}

function partOf(part: { readonly type: string }): UserContent {
  const { type, text, source }: Record<string, unknown> = { ...part }
  if (type === 'text' && typeof text === 'string') return { type, text }
  if (type === 'image' && isRecord(source) && source['type'] === 'data') {
    const { value: data, mimeType } = source
    if (typeof data === 'string' && typeof mimeType === 'string') return { type, data, mimeType }
  }
  throw new Failure(
    'bad_request',
    `A message holds a part of type ${JSON.stringify(type)} that is no text and no image with its data.`,
  )
}
