// Records what an extension shows on pi's side, and answers its dialogs as the situation says.
import type { Shown } from '../contract/extension-record.ts'
import { plainLines, plainText } from '../contract/plain-text.ts'
import type { PiComponent } from './pi-shapes.ts'
import { overlayLines } from '../../../lib/extensions/pi/surfaces/overlay-layout.ts'
import type { OverlayOptions } from '../../../lib/extensions/pi/surfaces/overlay-layout.ts'
import { surfaceRows, surfaceWidth } from '../contract/surface-width.ts'
import type { UserAnswers } from '../contract/user-answers.ts'

export interface UiParts {
  /** pi's own objects, as its terminal interface passes them. */
  readonly tui: unknown
  readonly theme: unknown
  readonly editorTheme: unknown
  readonly keybindings: unknown
  readonly answers: UserAnswers
  readonly shown: Shown[]
  /** pi's mode: without its terminal (`rpc`) components are not shown. */
  readonly mode: 'tui' | 'rpc'
}

type Factory = (...parts: unknown[]) => PiComponent | Promise<PiComponent>
type DialogOptions = { readonly timeout?: number; readonly signal?: AbortSignal } | undefined

/** pi's `ExtensionUIContext` of this run. */
export function recordUi(parts: UiParts): Record<string, unknown> {
  const inTerminal = { ...dialogs(parts), ...pieces(parts), ...components(parts), ...themes(parts) }
  return parts.mode === 'tui' ? inTerminal : { ...inTerminal, ...withoutTerminal(parts) }
}

/** As pi's RPC mode: what needs the terminal does nothing. */
function withoutTerminal({ shown, theme }: UiParts): Record<string, unknown> {
  const silent = ['setWorkingMessage', 'setWorkingVisible', 'setWorkingIndicator', 'setHiddenThinkingLabel', 'setFooter', 'setHeader', 'setEditorComponent', 'addAutocompleteProvider', 'setToolsExpanded'] // prettier-ignore
  return {
    ...Object.fromEntries(silent.map((name) => [name, () => undefined])),
    onTerminalInput: () => () => {},
    custom: () => Promise.resolve(undefined),
    getEditorText: () => '',
    getEditorComponent: () => undefined,
    setWidget: (key: string, content: unknown, options?: { placement?: string }) => {
      if (typeof content === 'function') return
      const text = Array.isArray(content) ? plainLines(content as string[]) : '(none)'
      shown.push({ kind: `widget ${key} ${options?.placement ?? 'aboveEditor'}`, text })
    },
    getAllThemes: () => [],
    getTheme: () => undefined,
    setTheme: () => ({ success: false, error: 'no terminal' }),
    theme,
  }
}

function dialogs({ shown, answers }: UiParts): Record<string, unknown> {
  const show = (kind: string, lines: readonly (string | undefined)[], options?: DialogOptions): void => {
    const limit = options?.timeout === undefined ? [] : [`(within ${options.timeout} ms)`]
    shown.push({ kind, text: plainText([...lines.filter((line) => line !== undefined), ...limit].join('\n')) })
  }
  return {
    select: (title: string, options: string[], dialog: DialogOptions) => {
      show('select', [title, ...options.map((option) => `- ${option}`)], dialog)
      return Promise.resolve(answers.option(options))
    },
    confirm: (title: string, message: string, dialog: DialogOptions) => {
      show('confirm', [title, message], dialog)
      return Promise.resolve(answers.next('confirm', true) === true)
    },
    input: (title: string, placeholder: string | undefined, dialog: DialogOptions) => {
      show('input', [title, placeholder], dialog)
      return Promise.resolve(answers.next('input', 'an answer') ?? undefined)
    },
    editor: (title: string, prefill = '') => {
      show('editor', [title, prefill])
      return Promise.resolve(answers.next('editor', prefill) ?? undefined)
    },
    notify: (message: string, type = 'info') => show('notify', [`${type}: ${message}`]),
  }
}

function pieces({ shown }: UiParts): Record<string, unknown> {
  const show = (kind: string, text: string): void => {
    shown.push({ kind, text: plainText(text) })
  }
  let text = ''
  const setText = (next: string): void => {
    text = next
    show('editor text', next)
  }
  return {
    onTerminalInput: () => {
      show('terminal input', 'listens')
      return () => {}
    },
    setStatus: (key: string, value: string | undefined) => show('status', `${key}: ${value ?? '(none)'}`),
    setWorkingMessage: (message?: string) => show('working message', message ?? '(default)'),
    setWorkingVisible: (visible: boolean) => show('working row', visible ? 'visible' : 'hidden'),
    setWorkingIndicator: (options?: { frames?: string[] }) =>
      show('working indicator', options === undefined ? '(default)' : (options.frames ?? []).join(' ')),
    setHiddenThinkingLabel: (label?: string) => show('thinking label', label ?? '(default)'),
    setTitle: (title: string) => show('title', title),
    setEditorText: setText,
    pasteToEditor: setText,
    getEditorText: () => text,
    addAutocompleteProvider: () => show('completion', 'a provider'),
    getToolsExpanded: () => false,
    setToolsExpanded: (expanded: boolean) => show('tools expanded', String(expanded)),
  }
}

function components(parts: UiParts): Record<string, unknown> {
  const { shown, tui, theme, keybindings, editorTheme } = parts
  const show = (kind: string, component: PiComponent): void => {
    shown.push({ kind, text: plainLines(component.render(surfaceWidth)) })
  }
  let editor: Factory | undefined
  const showPart = (kind: string, factory: Factory | undefined, ...more: unknown[]): void => {
    if (factory === undefined) shown.push({ kind, text: '(none)' })
    else void Promise.resolve(factory(tui, theme, ...more)).then((component) => show(kind, component))
  }
  return {
    setWidget: (key: string, content: string[] | Factory | undefined, options?: { placement?: string }) => {
      const kind = `widget ${key} ${options?.placement ?? 'aboveEditor'}`
      if (Array.isArray(content)) shown.push({ kind, text: plainLines(content) })
      else showPart(kind, content)
    },
    setFooter: (factory?: Factory) => showPart('footer', factory, footerData),
    setHeader: (factory?: Factory) => showPart('header', factory),
    setEditorComponent: (factory?: Factory) => {
      editor = factory
      if (factory === undefined) shown.push({ kind: 'editor component', text: '(none)' })
      else {
        void Promise.resolve(factory(tui, editorTheme, keybindings)).then((component) => {
          component.focused = true
          for (const key of ['a', 'b']) component.handleInput?.(key)
          show('editor component', component)
          component.dispose?.()
        })
      }
    },
    getEditorComponent: () => editor,
    custom: (factory: Factory, options?: CustomOptions) => playComponent(parts, factory, options),
  }
}

const footerData = {
  getGitBranch: () => null,
  getExtensionStatuses: () => new Map<string, string>(),
  getAvailableProviderCount: () => 1,
  onBranchChange: () => () => {},
}

function themes({ theme, shown }: UiParts): Record<string, unknown> {
  return {
    theme,
    getAllThemes: () => [
      { name: 'dark', path: undefined },
      { name: 'light', path: undefined },
    ],
    getTheme: () => theme,
    setTheme: (name: unknown) => {
      shown.push({ kind: 'theme', text: typeof name === 'string' ? name : '(an object)' })
      return { success: true }
    },
  }
}

interface CustomOptions {
  readonly overlay?: boolean
  readonly overlayOptions?: OverlayOptions | (() => OverlayOptions)
}

/** As the terminal shows it; an overlay at its column. */
function componentLines(component: Parameters<typeof overlayLines>[0], options: CustomOptions = {}): string {
  const { overlay, overlayOptions = {} } = options
  if (overlay !== true) return plainLines(component.render(surfaceWidth))
  const layout = typeof overlayOptions === 'function' ? overlayOptions() : overlayOptions
  return plainLines(overlayLines(component, layout, { columns: surfaceWidth, rows: surfaceRows }))
}

/** Shows a custom component, presses the keys of the situation, and dismisses it if it is still open then. */
async function playComponent(parts: UiParts, factory: Factory, options?: CustomOptions): Promise<unknown> {
  const { tui, theme, keybindings, answers, shown } = parts
  const kind = options?.overlay === true ? 'overlay' : 'dialog surface'
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const state = { open: true }
  const isOpen = (): boolean => state.open
  const done = (value: unknown): void => {
    state.open = false
    resolve(value)
  }
  const component = await factory(tui, theme, keybindings, done)
  component.focused = true
  if (isOpen()) shown.push({ kind, text: componentLines(component, options) })
  const wait = (): Promise<void> => new Promise((next) => setTimeout(next, 20))
  for (const key of answers.next('keys', ['\r', '\u001B']) ?? []) {
    await wait()
    if (!isOpen()) break
    component.handleInput?.(key)
  }
  await wait()
  if (isOpen()) shown.push({ kind, text: `left open: ${componentLines(component, options)}` })
  component.dispose?.()
  if (isOpen()) done(undefined)
  return promise
}
