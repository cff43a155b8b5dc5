// Describes the parts of pi that the child process uses; pi is no dependency of this package.

import type { LineMessage } from '../play/message-line.ts'

export interface PiComponent {
  render(width: number): string[]
  handleInput?(data: string): void
  invalidate?(): void
  dispose?(): void
  focused?: boolean
}

export interface PiRegistration {
  readonly name: string
  readonly description?: string
}

export interface PiExtension {
  readonly handlers: Map<string, ((...args: unknown[]) => unknown)[]>
  readonly tools: Map<string, { readonly definition: PiRegistration & { readonly parameters: unknown } }>
  readonly commands: Map<string, PiRegistration>
  readonly flags: Map<string, PiRegistration>
  readonly shortcuts: Map<string, { readonly shortcut: string; readonly description?: string; handler(context: unknown): unknown }> // prettier-ignore
}

export interface PiLoadResult {
  readonly extensions: readonly PiExtension[]
  readonly errors: readonly { readonly path: string; readonly error: string }[]
}

export interface PiModel {
  readonly provider: string
  readonly id: string
}

export interface PiEntry {
  readonly id: string
  readonly type: string
  readonly message?: LineMessage
  readonly customType?: string
  readonly content?: unknown
  readonly summary?: string
}

export interface PiSession {
  readonly sessionManager: { getBranch(): PiEntry[] }
  readonly extensionRunner: PiRunner
  readonly modelRuntime: { getAvailableSnapshot(): PiModel[]; getRegisteredProviderIds?(): string[] }
  bindExtensions(bindings: unknown): Promise<void>
  prompt(text: string, options?: unknown): Promise<void>
  waitForIdle(): Promise<void>
  compact(): Promise<unknown>
  reload(): Promise<void>
  setModel(model: PiModel): Promise<void>
  executeBash(command: string, onChunk?: unknown, options?: unknown): Promise<unknown>
  recordBashResult(command: string, result: unknown, options?: unknown): void
  navigateTree(target: string, options?: unknown): Promise<{ cancelled: boolean }>
}

export interface PiRunner {
  createContext(): unknown
  emitUserBash(event: unknown): Promise<{ operations?: unknown; result?: unknown } | undefined>
}

export interface PiRuntime {
  readonly session: PiSession
  setRebindSession(bind: () => Promise<void>): void
  newSession(options?: unknown): Promise<{ cancelled: boolean }>
  fork(entryId: string, options?: unknown): Promise<{ cancelled: boolean }>
  switchSession(file: string, options?: unknown): Promise<{ cancelled: boolean }>
  dispose(): Promise<void>
}

export interface PiCodingAgent {
  createAgentSessionServices(options: unknown): Promise<{ diagnostics: unknown[] }>
  createAgentSessionFromServices(options: unknown): Promise<{ extensionsResult: PiLoadResult }>
  createAgentSessionRuntime(create: unknown, options: unknown): Promise<PiRuntime>
  SessionManager: { create(cwd: string, folder?: string): unknown }
  initTheme(name: string): void
}

export interface PiTui {
  TuiMainScreen: new (terminal: unknown) => unknown
  KeybindingsManager: new (definitions: unknown, own?: unknown) => unknown
  TUI_KEYBINDINGS: unknown
}
