// Describes a situation: the steps that one of pi's examples is driven through, on both sides.

/** What the mock model answers to one request: a text, or tool calls. */
export type ModelTurn = string | { readonly calls: readonly ModelCall[] }

export interface ModelCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

export type Step =
  /** A prompt of the user; a slash command is one. */
  | { readonly prompt: string; readonly model?: readonly ModelTurn[] }
  /** A shell command of the user. */
  | { readonly bash: string }
  /** A shortcut that the extension registered, as pi writes it. */
  | { readonly key: string; readonly model?: readonly ModelTurn[] }
  | { readonly session: 'new' | 'fork' | 'compact' | 'reload'; readonly model?: readonly ModelTurn[] }
  /** Selects the second model of the mock provider. */
  | { readonly model: string }
  /** Writes a file of the working folder, as another program would. */
  | { readonly write: string; readonly text: string }

/** How the user answers; a list is used from its start, and the default follows it. */
export interface Answers {
  /** Words that begin an option; null dismisses. Default: the first option. */
  readonly select?: readonly (string | null)[]
  /** Default: true. */
  readonly confirm?: readonly boolean[]
  /** Default: `an answer`. */
  readonly input?: readonly (string | null)[]
  /** Default: the text as it is. */
  readonly editor?: readonly (string | null)[]
  /** Keys for one custom component each. Default: Enter, then Escape. */
  readonly keys?: readonly (readonly string[])[]
}

export interface Situation {
  readonly steps: readonly Step[]
  readonly answers?: Answers
  /** Flags that the extension registers, as the command line sets them. */
  readonly flags?: Readonly<Record<string, string | boolean>>
  /** Files of the working folder at the start. */
  readonly files?: Readonly<Record<string, string>>
  /** True: the working folder is a git repository with one commit. */
  readonly git?: boolean
  /** True: `Math.random` gives the same number each time. */
  readonly fixedRandom?: boolean
  /** True: the folder of the example has dependencies that npm installs. */
  readonly install?: boolean
}
