// Port of the commands that a prompt can begin with: skills, templates and built-in ones.
import type { Observable } from 'rxjs'
import type { Invocation } from '../messages/message.ts'

export interface PromptCommand {
  /** Without the slash; of a skill `skill:NAME`, of a prompt of an MCP server `SERVER:PROMPT`. */
  readonly name: string
  readonly kind: 'skill' | 'template' | 'command' | 'extension' | 'mcp'
  readonly description: string
  /** Syntax of the arguments, for people. */
  readonly argument?: string
  readonly source: 'user' | 'project' | 'package' | 'built-in' | 'extension' | 'mcp'
  /** Absolute; of the file that defines it. */
  readonly path?: string
  /** The name of the extension that registered it. */
  readonly extension?: string
  /** The name of the installed package that brings it. */
  readonly package?: string
}

/** Why a file defines no command, or not the one that its author meant. */
export interface CommandProblem {
  readonly path: string
  /** `error`: the file is not used. */
  readonly level: 'warning' | 'error'
  /** Continues the path: `it has no description`. */
  readonly message: string
}

/** A theme of a package: checked, in the form of those of extensions. */
export interface PackageTheme {
  /** The name of the package. */
  readonly extension: string
  readonly name: string
  readonly base: 'dark' | 'light'
  readonly colours: Record<string, number | string>
}

/** The texts of one installed package; no code. Files or folders, absolute. */
export interface PackageTexts {
  readonly name: string
  readonly skills: readonly string[]
  readonly prompts: readonly string[]
  readonly scenarios: readonly string[]
  /** Read and checked. Default: it has none. */
  readonly themes?: readonly PackageTheme[]
}

export interface InstalledTexts {
  /** In the order of their installation: the first one that has a name wins. */
  readonly packages: readonly PackageTexts[]
  /** The parts of packages that cannot be used. */
  readonly problems: readonly CommandProblem[]
}

export interface ExpandedPrompt {
  readonly text: string
  readonly invocation: Invocation
}

/** The result of a command: a text for the person, a prompt for the model, or neither. */
export interface CommandOutcome {
  readonly text?: string
  readonly prompt?: string
  /** Of `prompt`. Default: the prompt has none. */
  readonly invocation?: Invocation
}

export interface PromptCommands {
  /** Emits once what the files define now. Never fails. */
  list(): Observable<{ readonly commands: readonly PromptCommand[]; readonly problems: readonly CommandProblem[] }>
  /**
   * Emits once: the text that the model gets for `/NAME ARGUMENTS`, or undefined if no command has this name. Fails with
   * `bad_request` for a file that cannot be read.
   */
  expand(text: string): Observable<ExpandedPrompt | undefined>
  /**
   * Runs the command of an extension that the text names: emits once, fails with a Failure. Undefined if no extension has a
   * command of this name. Absent: there are no extensions.
   */
  run?(text: string): Observable<CommandOutcome> | undefined
}

/** `/NAME ARGUMENTS`, a name and what follows it; undefined for any other text. */
export function parseSlash(text: string): { readonly name: string; readonly args: string } | undefined {
  const [, name, args = ''] = /^\/([A-Za-z][\w.:-]*)(?:\s+([^]*))?$/.exec(text.trimEnd()) ?? []
  return name === undefined ? undefined : { name, args }
}
