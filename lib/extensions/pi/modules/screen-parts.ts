// Builds components of pi's coding agent on the optional package pi-tui.
import { plainTheme } from './plain-theme.ts'

/** What is used of the package pi-tui, which is optional and therefore has no types here. */
export interface PiTui {
  readonly Container: new () => { addChild(child: unknown): void }
  readonly Spacer: new (lines: number) => unknown
  readonly Text: new (text: string, paddingX: number, paddingY: number) => unknown
  readonly Editor: new (...parts: never[]) => object
  matchesKey(data: string, key: string): boolean
}

const same = (text: string): string => text

export function getMarkdownTheme(): Record<string, (text: string) => string> {
  const names = ['heading', 'link', 'linkUrl', 'code', 'codeBlock', 'codeBlockBorder', 'quote', 'quoteBorder', 'hr', 'listBullet', 'bold', 'italic', 'underline', 'strikethrough'] // prettier-ignore
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
export function tuiComponents({ Container, Editor, Spacer, Text, matchesKey }: PiTui): Record<string, unknown> {
  class BorderedLoader extends Container {
    readonly #controller = new AbortController()
    onAbort: (() => void) | undefined

    constructor(_tui: unknown, theme: typeof plainTheme, message: string) {
      super()
      const border = new DynamicBorder((text) => theme.fg('border', text))
      for (const part of [border, new Spacer(1), new Text(message, 1, 0), new Spacer(1), border]) this.addChild(part)
    }

    get signal(): AbortSignal {
      return this.#controller.signal
    }

    handleInput(data: string): void {
      if (!matchesKey(data, 'escape')) return
      this.#controller.abort()
      this.onAbort?.()
    }

    dispose(): void {
      this.#controller.abort()
    }
  }
  return { BorderedLoader, CustomEditor: Editor, DynamicBorder }
}
