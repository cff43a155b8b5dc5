// Declares what an extension shows to people: questions, notices, status texts, keys, themes.
import type { Observable } from 'rxjs'
import type { ThemeRole } from '../../streams/commands/extension-ui-commands.ts'
import type { Message, UserContent } from '../../streams/messages/message.ts'
import type { RenderNode } from '../../streams/commands/render-commands.ts'
import type { HookAnswer } from '../../streams/ports/hooks.ts'
import type { Answer, Question } from '../../streams/ports/ask.ts'
import type { ScreenSize } from '../../streams/surfaces/surfaces.ts'
import type { Registration } from './registration.ts'
import type { OpenSurface, SurfaceComponent } from './surface-component.ts'

/** A key that runs a command of the extension. */
export interface KeyBinding {
  /** As in keybindings.json: `alt+g`. A key that the user or rxpi uses stays as it is; the UI names the clash. */
  readonly key: string
  /** A command that the extension has registered, without the slash. */
  readonly command: string
  /** Default: none. */
  readonly argument?: string
  readonly description: string
}

export interface ThemeDefinition {
  /** Lower case letters, digits and `-`, for `/theme NAME`. */
  readonly name: string
  /** The theme that has the other colours. */
  readonly base: 'dark' | 'light'
  /** One of 256 colours, or `#rrggbb`. */
  readonly colours: Readonly<Partial<Record<ThemeRole, number | string>>>
}

/** Draws `custom` events of one type. */
export interface EventRenderer {
  /** The type of the events: `custom(type, data)`. */
  readonly customType: string
  readonly tool?: never
  readonly message?: never
  /** Called in the server, at most 2 s, when a client shows the event. A fault, or undefined: the client shows what it can. */
  render(data: unknown): HookAnswer<{ readonly nodes: readonly RenderNode[] }>
}

/** The result of a tool call, as the conversation has it. */
export interface RenderedResult {
  readonly toolCallId: string
  readonly content: readonly UserContent[]
  /** The tool's data for programs. */
  readonly details?: unknown
  readonly isError: boolean
}

/** Draws the results of one tool, in place of the lines that the client makes of them. */
export interface ToolRenderer {
  /** The name of the tool, of whomever it is. */
  readonly tool: string
  readonly customType?: never
  readonly message?: never
  /** As that of `EventRenderer`. */
  render(result: RenderedResult): HookAnswer<{ readonly nodes: readonly RenderNode[] }>
}

/** Draws something below each message of one role. */
export interface MessageRenderer {
  readonly message: 'user' | 'assistant'
  readonly customType?: never
  readonly tool?: never
  /** As that of `EventRenderer`. */
  render(message: Message): HookAnswer<{ readonly nodes: readonly RenderNode[] }>
}

/** Input of `renderer`. */
export type AnyRenderer = EventRenderer | ToolRenderer | MessageRenderer

/** The extension's means of display. */
export interface ExtensionUiApi {
  /** Asks the person at a client: cold, see `Ask`. Fails with `bad_request` before the session is open. */
  ask(question: Question): Observable<Answer>
  /** Shows a line. Before the session is open it waits; a client that comes before the first run still gets it. */
  notify(text: string, level?: 'info' | 'warning' | 'error'): void
  /**
   * Shows a short text beside the session's status until it is replaced; undefined removes it. One line of 200 characters, at
   * most 20 keys.
   * @throws Failure `bad_request`
   */
  status(text: string | undefined, key?: string): void
  /**
   * Puts a text into the input of each client that shows the session, in place of what is there, or before it (`keepTyped`). At most
   * 65,536 characters. @throws Failure `bad_request`, also before the session is open
   */
  editorText(text: string, options?: { readonly keepTyped?: boolean }): void
  /** Lets a key of the UI run a command of this extension. @throws Failure `bad_request` */
  bindKey(binding: KeyBinding): Registration
  /**
   * Draws events, results of a tool, or below messages, as texts, lists, diffs and boxes.
   * @throws Failure `bad_request` if another extension draws them
   */
  renderer(renderer: EventRenderer | ToolRenderer | MessageRenderer): Registration
  /** Adds a theme, which a person chooses. @throws Failure `bad_request` */
  theme(theme: ThemeDefinition): Registration
  /** The size of the screen that a client reported last; undefined if no client draws surfaces. */
  screen(): ScreenSize | undefined
  /**
   * Shows a surface to every client that draws surfaces, now and later.
   * @throws Failure `not_allowed` for a dialog if no such client is attached, `bad_request` for a component that is not valid
   */
  surface(component: SurfaceComponent): OpenSurface
}
