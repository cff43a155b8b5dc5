// Defines Failure, the one error class, and the table of its codes.
// A code outside the table does not type.
import { findJsonProblem } from './json.ts'
import { describeSystemError, systemErrno, systemErrorPath } from './system-error.ts'

/** The properties of a code. */
export interface FailureMeaning {
  /** True if the same request may succeed later, unchanged. */
  readonly recoverable: boolean
  /** The command's exit code if a run or the command itself ends with it. */
  readonly exitCode: number
  /** One sentence for the reference page. */
  readonly meaning: string
}

/**
 * The table of codes (docs/protocol.md; `bad_config`, the client's `disconnected` and those of the socket:
 * docs/decisions/0004).
 */
export const failureTable = {
  bad_json: { recoverable: false, exitCode: 2, meaning: 'A line is not one JSON object.' },
  bad_request: {
    recoverable: false,
    exitCode: 2,
    meaning: 'A field is missing or has the wrong shape; the message names it.',
  },
  bad_config: {
    recoverable: false,
    exitCode: 2,
    meaning:
      'A configuration file or an environment variable is not valid; the message names it, the key and the reason.',
  },
  unknown_command: { recoverable: false, exitCode: 2, meaning: 'This server does not know the command.' },
  unknown_session: { recoverable: false, exitCode: 2, meaning: 'There is no session with this id.' },
  unknown_surface: {
    recoverable: false,
    exitCode: 1,
    meaning: 'The session has no such surface; its extension may have closed it.',
  },
  session_locked: {
    recoverable: true,
    exitCode: 1,
    meaning: 'Another process holds the session; the message names it.',
  },
  read_only: {
    recoverable: false,
    exitCode: 1,
    meaning: 'The session can be read but not continued; the message has the reason.',
  },
  busy: {
    recoverable: true,
    exitCode: 1,
    meaning: 'A run is active; use steer or follow_up, or wait for agent_settled.',
  },
  overloaded: {
    recoverable: true,
    exitCode: 1,
    meaning: 'A bounded queue is full, or too many files are open; try again later.',
  },
  timeout: { recoverable: true, exitCode: 124, meaning: 'The time-out of the request passed.' },
  cancelled: { recoverable: true, exitCode: 130, meaning: 'The client cancelled the request.' },
  disconnected: {
    recoverable: true,
    exitCode: 1,
    meaning: 'The connection ended before the response; it is unknown whether the command was executed.',
  },
  no_server: {
    recoverable: true,
    exitCode: 1,
    meaning: 'No server listens at the socket; start one with `rxpi serve`.',
  },
  server_running: {
    recoverable: false,
    exitCode: 1,
    meaning: 'A server already listens at the socket; the message names it.',
  },
  unsafe_socket: {
    recoverable: false,
    exitCode: 1,
    meaning: 'Another user could use the socket or its folder; the message names the fault.',
  },
  not_allowed: { recoverable: false, exitCode: 1, meaning: 'Policy refuses the action, or no client could be asked.' },
  unsupported_version: {
    recoverable: false,
    exitCode: 1,
    meaning: 'This program does not support the version of the protocol or log.',
  },
  no_model: {
    recoverable: true,
    exitCode: 2,
    meaning: 'The session has no usable model; the message names the reason and what to do.',
  },
  provider_error: {
    recoverable: true,
    exitCode: 3,
    meaning: 'The model provider failed; `kind` and `status` classify it.',
  },
  mcp_error: {
    recoverable: true,
    exitCode: 1,
    meaning: 'An MCP server refused, ended or did not answer in time; the message names it and the reason.',
  },
  message_too_large: { recoverable: false, exitCode: 2, meaning: 'A line is longer than 16 MiB.' },
  storage: {
    recoverable: true,
    exitCode: 5,
    meaning:
      'The log could not be written or synced; the message has the system error. The effect may be written later: send the command again with the same `opId`.',
  },
  internal: { recoverable: false, exitCode: 1, meaning: 'A fault of rxpi; please report it.' },
} as const satisfies Record<string, FailureMeaning>

export type FailureCode = keyof typeof failureTable

/** Every way in which a provider may fail (docs/protocol.md). */
export const providerFailureKinds = [
  'auth',
  'rate_limit',
  'overloaded',
  'context_overflow',
  'bad_request',
  'network',
  'stall',
  'early_end',
  'refused',
] as const
export type ProviderFailureKind = (typeof providerFailureKinds)[number]

/** Data beside code and message: JSON values only, never a secret. */
export interface FailureData {
  /** For `provider_error`: the kind of failure. */
  readonly kind?: ProviderFailureKind
  /** For `provider_error`: the HTTP status. */
  readonly status?: number
  /** For `provider_error`: the provider's `retry-after` in milliseconds. */
  readonly retryAfterMs?: number
  /** For `provider_error`: another of `keys` keys may serve the same request at once; both are names for people. */
  readonly otherKey?: { readonly from: string; readonly to: string; readonly keys: number }
  readonly [key: string]: unknown
}

export interface FailureOptions {
  /** An error of the system as the `cause` adds its `errno`. */
  readonly data?: FailureData
  readonly cause?: unknown
}

/** A coded error: `message` says what happened, to what, and what to do. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: FailureCode
  readonly data: FailureData

  constructor(code: FailureCode, message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.data = withErrno(options)
  }

  /** True if the same request may succeed later, unchanged. */
  get recoverable(): boolean {
    return failureTable[this.code].recoverable
  }

  /**
   * Converts a thrown value to a Failure: a Failure stays itself, anything else becomes `code` with its message. Words
   * an error of the system, with its file; `data.errno` keeps the system's code.
   */
  static from(thrown: unknown, code: FailureCode = 'internal'): Failure {
    if (thrown instanceof Failure) return thrown
    const path = systemErrorPath(thrown)
    const message = path === undefined ? describeThrown(thrown) : `${path}: ${describeThrown(thrown)}`
    return new Failure(code, message, { cause: thrown })
  }
}

/** The data, with the system's code if the cause is an error of the system. */
function withErrno({ data = {}, cause }: FailureOptions): FailureData {
  const errno = systemErrno(cause)
  return errno === undefined || Object.hasOwn(data, 'errno') ? data : { ...data, errno }
}

/**
 * Describes a thrown value: an error of the system in words and without its file, another error by its message, or its
 * name if it has none; anything else as text. Never throws.
 */
export function describeThrown(thrown: unknown): string {
  try {
    const words = describeSystemError(thrown)
    if (words !== undefined) return words
    return thrown instanceof Error ? thrown.message || thrown.name : String(thrown)
  } catch {
    return 'the thrown value has no text'
  }
}

/** A failure as plain data: the shape that events and responses carry. */
export interface FailureFields {
  readonly code: FailureCode
  readonly message: string
  readonly data?: Readonly<Record<string, unknown>>
}

/**
 * Code, message and data; `data` is absent if empty, and fields that cannot be JSON are dropped (foreign code creates
 * failures too).
 */
export function failureShape({ code, message, data }: Failure): FailureFields {
  const fields = Object.entries(data).filter(([, value]) => findJsonProblem(value) === undefined)
  return { code, message, ...(fields.length === 0 ? {} : { data: Object.fromEntries(fields) }) }
}
