// Builds components of pi's coding agent on the optional package pi-tui.
import { plainTheme } from './plain-theme.ts'
import type { Keybindings, PiLoader, PiTui } from './pi-tui.ts'

const same = (text: string): string => text

export function getMarkdownTheme(): Record<string, (text: string) => string> {
  const names = [
    'heading',
    'link',
    'linkUrl',
    'code',
    'codeBlock',
    'codeBlockBorder',
    'quote',
    'quoteBorder',
    'hr',
    'listBullet',
    'bold',
    'italic',
    'underline',
    'strikethrough',
  ]
  return Object.fromEntries(names.map((name) => [name, same]))
}

export function getSelectListTheme(): Record<string, (text: string) => string> {
  return { selectedPrefix: same, selectedText: same, description: same, scrollInfo: same, noMatch: same }
}

export function getSettingsListTheme(): Record<string, unknown> {
  return { label: same, value: same, description: same, cursor: '→ ', hint: same }
}

export function getEditorTheme(): Record<string, unknown> {
  return { borderColor: same, selectList: getSelectListTheme() }
}

/** A horizontal line of the width that there is. */
export class DynamicBorder {
  readonly #color: (text: string) => string

  constructor(color: (text: string) => string = same) {
    this.#color = color
  }

  invalidate(): void {} // it holds nothing

  render(width: number): string[] {
    return [this.#color('─'.repeat(Math.max(1, width)))]
  }
}

/** Components that extend those of pi-tui. */
export function tuiComponents({ CancellableLoader, Container, Editor, Spacer, Text }: PiTui): Record<string, unknown> {
  class BorderedLoader extends Container {
    readonly #loader: PiLoader

    constructor(tui: unknown, theme: typeof plainTheme, message: string) {
      super()
      const border = new DynamicBorder((text) => theme.fg('border', text))
      const colour = (name: string) => (text: string) => theme.fg(name, text)
      this.#loader = new CancellableLoader(tui, colour('accent'), colour('muted'), message)
      const hint = new Text('escape/ctrl+c cancel', 1, 0)
      for (const part of [border, this.#loader, new Spacer(1), hint, new Spacer(1), border]) this.addChild(part)
    }

    get signal(): AbortSignal {
      return this.#loader.signal
    }

    set onAbort(listener: () => void) {
      this.#loader.onAbort = listener
    }

    handleInput(data: string): void {
      this.#loader.handleInput(data)
    }

    dispose(): void {
      this.#loader.dispose()
    }
  }
  return { BorderedLoader, CustomEditor: customEditor(Editor), DynamicBorder }
}

/** An editor that leaves Escape, and Ctrl-D without a text, to who shows it. */
function customEditor(Editor: PiTui['Editor']) {
  return class CustomEditor extends Editor {
    readonly actionHandlers = new Map<string, () => void>()
    readonly keybindings: Keybindings | undefined
    onEscape: (() => void) | undefined
    onCtrlD: (() => void) | undefined

    constructor(...[tui, theme, keybindings, options]: never[]) {
      super(...([tui, theme, options] as never[])) // of pi-tui, which has no types here
      this.keybindings = keybindings
    }

    onAction(action: string, handler: () => void): void {
      this.actionHandlers.set(action, handler)
    }

    override handleInput(data: string): void {
      const isKey = (action: string): boolean => this.keybindings?.matches(data, action) === true
      const interrupt = this.onEscape ?? this.actionHandlers.get('app.interrupt')
      const exit = this.onCtrlD ?? this.actionHandlers.get('app.exit')
      if (isKey('app.interrupt') && !this.isShowingAutocomplete() && interrupt !== undefined) interrupt()
      else if (isKey('app.exit') && this.getText() === '' && exit !== undefined) exit()
      else super.handleInput(data)
    }
  }
}
