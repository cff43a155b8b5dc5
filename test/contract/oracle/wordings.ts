// The known wordings of both agents: a known text is compared by its kind, any other literally.

export type Side = 'pi' | 'ours'

/** A text in the trace: `<kind>` for a known wording, else the text itself. */
export type Wording = (text: string) => string

export interface KnownWording {
  readonly kind: string
  /** Absent: pi has no such text. */
  readonly pi?: RegExp
  readonly ours: RegExp
  /** The page that requires the wording, and why it differs from pi's. */
  readonly why: string
}

export const wordings: readonly KnownWording[] = [
  {
    kind: 'unknown tool',
    pi: /^"Tool \w+ not found"$/,
    ours: /^"There is no active tool \\"\w+\\". Active tools: [\w, ]+\."$/,
    why: 'LOOP 7: the result names the active tools, so the model can choose one.',
  },
  {
    kind: 'invalid arguments',
    pi: /^"Validation failed for tool \\"\w+\\":\\n.*Received arguments:/,
    ours: /^"The arguments of \w+ are not valid:\\n.*Received: /,
    why: 'LOOP 8: tool, paths, reasons and received arguments, in the words of our validator.',
  },
  {
    kind: 'cut by the output limit',
    pi: /^"Tool call \\"\w+\\" was not executed: the response hit the output token limit/,
    ours: /^"The answer reached its output limit, which cut this call off/,
    why: 'LOOP 13: the same content, shorter.',
  },
  {
    kind: 'cut by a failure',
    ours: /^"The answer ended in an error before it was complete/,
    why: 'docs/decisions/0005: a call in a failed answer gets a result with the reason.',
  },
  {
    kind: 'aborted',
    pi: /^"Operation aborted"$/,
    ours: /^"Aborted"$/,
    why: 'LOOP 24: it defines the text of the result.',
  },
  {
    kind: 'busy',
    pi: /^Agent is already processing/,
    ours: /^busy$/,
    why: 'LOOP 22: a code and a message that names steer and follow_up.',
  },
  {
    kind: 'nothing to continue',
    pi: /^(?:No messages to continue from|Cannot continue from message role: assistant)$/,
    ours: /^bad_request$/,
    why: 'LOOP 25: a code instead of words.',
  },
]

/** The wording of one side; `used` is called with each kind that was found. */
export function wordingOf(side: Side, used: (kind: string) => void = () => undefined): Wording {
  return (text) => {
    const known = wordings.find((each) => each[side]?.test(text))
    if (known === undefined) return text
    used(known.kind)
    return `<${known.kind}>`
  }
}
