// The record of one run of an example: what it registered, showed, received, and sent to the model.

export interface ExtensionRecord {
  /** Why the extension could not be loaded. */
  readonly loadError?: string
  readonly registered: Registered
  /** What the user saw and was asked, in order. */
  readonly shown: readonly Shown[]
  /** Events that the extension received: the type and the names of the fields. */
  readonly events: readonly string[]
  /** Errors of handlers, commands and tools, as the side reports them. */
  readonly errors: readonly string[]
  readonly requests: readonly RequestFacts[]
  /** The messages of the conversation: role or custom type, and the text. */
  readonly transcript: readonly string[]
  /** Lines that the extension printed. */
  readonly printed: readonly string[]
  /** Functions of pi that rxpi reports as different. */
  readonly differences?: readonly string[]
}

export interface Registered {
  readonly tools: readonly ToolFacts[]
  readonly commands: readonly NameFacts[]
  readonly shortcuts: readonly NameFacts[]
  readonly flags: readonly NameFacts[]
  readonly providers: readonly string[]
}

export interface NameFacts {
  readonly name: string
  readonly description?: string
}

export interface ToolFacts extends NameFacts {
  readonly parameters: unknown
}

export interface Shown {
  /** The kind of it: `select`, `notify`, `status`, `widget`, `surface` … */
  readonly kind: string
  /** Its content as plain text, without colours. */
  readonly text: string
}

/** One request to the mock model, without what two runs can not share. */
export interface RequestFacts {
  readonly model: string
  readonly system: string
  readonly tools: readonly string[]
  readonly messages: readonly string[]
  /** Headers that a default request does not have. */
  readonly headers: readonly string[]
}
