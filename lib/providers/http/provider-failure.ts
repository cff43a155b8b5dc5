// Classifies a provider's failure by status, error code and system code.
// The text is the last resort.
//
// Guarantees: no message contains a key.
import { describeWait, resetWait } from './limit-reset.ts'
import { networkReasons, stallCodes, unreachable } from './network-reasons.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import type { FailureData, ProviderFailureKind } from '../../streams/values/failure.ts'
import { getOwn } from '../../streams/values/json.ts'
import { kindByCode, kindByStatus } from './failure-kinds.ts'
import { saysOverflow } from './overflow-phrases.ts'
import { isObject } from './json-field.ts'

export interface ProviderError {
  readonly message?: string
  readonly code?: string
  readonly type?: string
  /** An HTTP status in the error itself, for errors within a stream. */
  readonly status?: number
  /** The wait in the error itself, in milliseconds. */
  readonly retryAfterMs?: number
}

/** Classifies a failure better than status and common codes do. */
export type KindOf = (error: {
  readonly status?: number
  readonly code?: string
  readonly message: string
}) => ProviderFailureKind | undefined

export interface ResponseContext {
  /** The display name of the provider: `openai`. */
  readonly provider: string
  /** Texts to remove from messages: keys. Read only when something fails. */
  readonly secrets?: readonly string[]
  /** Classifies first. */
  readonly kindOf?: KindOf
}

export interface ErrorContext extends ResponseContext {
  readonly status?: number
  readonly retryAfterMs?: number
}

const longestMessage = 2000

/**
 * Returns the error in a body or an event: `{error: {…}}`, `{error: '…'}`, `{message}`, `{detail}`; undefined if there
 * is none.
 */
export function readProviderError(value: unknown): ProviderError | undefined {
  if (Array.isArray(value)) return readProviderError(value[0])
  if (!isObject(value)) return undefined
  const { error } = value
  if (typeof error === 'string') return { message: error }
  if (isObject(error)) return errorFields(error)
  const { errors } = value
  if (Array.isArray(errors) && errors.length > 0) return readProviderError({ error: errors[0] as unknown })
  if (value['object'] === 'error' || value['type'] === 'error') return errorFields(value)
  if (typeof value['message'] === 'string' || typeof value['Message'] === 'string' || value['detail'] !== undefined)
    return errorFields(value)
  return undefined
}

/** As `readProviderError`, of a body; undefined for a text that is no JSON: the message is the text itself. */
export function readErrorText(body: string): ProviderError | undefined {
  try {
    return readProviderError(JSON.parse(body))
  } catch {
    return undefined
  }
}

/** Returns the Failure for an error of the provider. */
export function providerFailure(error: ProviderError, context: ErrorContext): Failure {
  const status = context.status ?? error.status
  const text = clip(error.message ?? 'the provider gave no reason', context.secrets ?? [])
  const code = codeWithout(error, context.secrets)
  const known = context.kindOf?.({ message: text, ...optional('status', status), ...optional('code', code) })
  const kind = known ?? kindOfError(error, status)
  const retryAfterMs = context.retryAfterMs ?? error.retryAfterMs
  const wait = retryAfterMs ? ` (${describeWait(retryAfterMs)})` : ''
  const noCredit = hasNoCredit(status, code)
  const reason = noCredit ? `no credit is left on this account (${text})` : text
  const message = `${context.provider}${status === undefined ? '' : ` answered ${status}`}: ${reason}${wait}`
  return new Failure('provider_error', message, {
    data: {
      kind,
      ...optional('status', status),
      ...optional('retryAfterMs', retryAfterMs),
      ...optional('providerCode', code),
      ...(noCredit ? { noCredit } : {}),
    },
  })
}

const noCreditCodes: ReadonlySet<unknown> = new Set(['insufficient_quota', 'billing_hard_limit_reached'])

/** True if the account of the key cannot pay. @param code the provider's own */
export function hasNoCredit(status: number | undefined, code: unknown): boolean {
  return status === 402 || noCreditCodes.has(code)
}

/** The text counts only if status and type blame the request. */
function kindOfError(error: ProviderError, status: number | undefined): ProviderFailureKind {
  if (status === 413) return 'context_overflow' // often called a token limit a minute; waiting does not help
  const kind = kindByCode(error) ?? kindByStatus(status) ?? 'overloaded'
  return kind === 'bad_request' && saysOverflow(error.message ?? '') ? 'context_overflow' : kind
}

function codeWithout({ code, type }: ProviderError, secrets: readonly string[] | undefined): string | undefined {
  const text = code ?? type
  return text === undefined ? undefined : clip(text, secrets ?? [])
}

/**
 * Returns the Failure for a thrown value: a Failure among its causes, else a network failure for a system error, else
 * `bad_request`.
 */
export function thrownFailure(thrown: unknown, { provider, secrets = [] }: ResponseContext): Failure {
  const chain = causes(thrown)
  const failure = chain.find((cause) => cause instanceof Failure)
  if (failure !== undefined) return failure
  const code = chain.map(codeOf).find((found) => found !== undefined)
  const deepest = chain.at(-1)
  const reason = describeThrown(deepest)
  const isNetwork = code !== undefined || chain.some((cause) => cause instanceof TypeError)
  const text = clip(getOwn(networkReasons, code) ?? reason, secrets)
  const kind: ProviderFailureKind = !isNetwork ? 'bad_request' : code && stallCodes.has(code) ? 'stall' : 'network'
  const message = isNetwork ? `${provider} ${unreachable}: ${text}` : `${provider}: ${text}`
  return new Failure('provider_error', message, {
    data: { kind, ...optional('systemCode', code) },
  })
}

function errorFields(error: Record<string, unknown>): ProviderError {
  const message = withUpstreamReason(
    text(error['message']) ?? text(error['Message']) ?? text(error['detail']) ?? JSON.stringify(error),
    error['metadata'],
  )
  const status = number(error['status_code']) ?? number(error['status']) ?? httpStatus(error['code'])
  return {
    message,
    ...optional('code', text(error['code']) ?? ownCode(error['code']) ?? detailOf(error, 'reason')),
    ...optional('type', text(error['type']) ?? text(error['status'])),
    ...optional('status', status),
    ...optional('retryAfterMs', secondsOf(detailOf(error, 'retryDelay')) ?? resetWait(error)),
  }
}

/** OpenRouter reports an error of the provider behind it, as text or JSON, in `metadata.raw`. */
function withUpstreamReason(message: string, metadata: unknown): string {
  const raw = isObject(metadata) ? text(metadata['raw']) : undefined
  if (raw === undefined || message.includes(raw)) return message
  return `${message}: ${readErrorText(raw)?.message ?? raw}`
}

/** Google's errors have the reason and the wait in one of their details. */
function detailOf({ details }: Record<string, unknown>, name: 'reason' | 'retryDelay'): string | undefined {
  const found: readonly unknown[] = Array.isArray(details) ? details : []
  return found.map((detail) => (isObject(detail) ? text(detail[name]) : undefined)).find((value) => value !== undefined)
}

/** Parses `7s` or `0.5s` to milliseconds. */
function secondsOf(duration: string | undefined): number | undefined {
  const seconds = duration?.endsWith('s') === true ? Number(duration.slice(0, -1)) : NaN
  return Number.isFinite(seconds) && seconds >= 0 ? Math.round(seconds * 1000) : undefined
}

function clip(text: string, secrets: readonly string[]): string {
  const clean = withoutSecrets(text, secrets)
  return clean.length > longestMessage ? `${clean.slice(0, longestMessage)}…` : clean
}

/** Returns the text with `[key]` for each secret, also for a secret in URL encoding. */
export function withoutSecrets(text: string, secrets: readonly string[] = []): string {
  const forms = secrets.flatMap((secret) => (secret === '' ? [] : [secret, encodeURIComponent(secret.toWellFormed())]))
  // a secret may contain another one
  const longestFirst = [...new Set(forms)].sort((left, right) => right.length - left.length)
  return longestFirst.reduce((message, secret) => message.replaceAll(secret, '[key]'), text)
}

/** Returns the error and its causes, outermost first; stops at a cycle. */
function causes(thrown: unknown): unknown[] {
  const chain: unknown[] = []
  for (let cause = thrown; cause !== undefined && !chain.includes(cause) && chain.length < 8;) {
    chain.push(cause)
    cause = cause instanceof Error ? cause.cause : undefined
  }
  return chain
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? text(error.code) : undefined
}

/** A number that is no HTTP status is the provider's own code. */
function ownCode(code: unknown): string | undefined {
  return typeof code === 'number' && httpStatus(code) === undefined ? String(code) : undefined
}

function httpStatus(code: unknown): number | undefined {
  const status = Number(code)
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function optional<Key extends string, Value>(key: Key, value: Value | undefined): FailureData & { [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]?: Value }) // the computed key is `key`
}
