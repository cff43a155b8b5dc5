// Loads the optional package pi-tui, once, and makes the keybindings of its components.

/** The used part of the package pi-tui, which is optional and so has no types here. */
export interface PiTui {
  readonly Container: new () => { addChild(child: unknown): void }
  readonly CancellableLoader: new (
    tui: unknown,
    spinner: (text: string) => string,
    words: (text: string) => string,
    message: string,
  ) => PiLoader
  readonly Spacer: new (lines: number) => unknown
  readonly Text: new (text: string, paddingX: number, paddingY: number) => unknown
  readonly Editor: new (...parts: never[]) => PiEditor
  readonly KeybindingsManager: new (definitions: object) => Keybindings
  readonly TUI_KEYBINDINGS: object
}

export interface PiLoader {
  readonly signal: AbortSignal
  onAbort?: (() => void) | undefined
  handleInput(data: string): void
  dispose(): void
}

export interface PiEditor {
  handleInput(data: string): void
  getText(): string
  isShowingAutocomplete(): boolean
}

export interface Keybindings {
  matches(data: string, action: string): boolean
}

/** Named by a variable: the package may be missing, and then its types are too. */
export const tuiPackage: string = '@earendil-works/pi-tui'

let loaded: PiTui | undefined

/** Emits undefined if the package is not installed. @param load default: the installed package */
export async function loadPiTui(
  load: () => Promise<PiTui> = () => import(tuiPackage) as Promise<PiTui>,
): Promise<PiTui | undefined> {
  loaded = await load().catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  })
  return loaded
}

/** Keys of pi that an editor looks at, beside those of pi-tui. */
const appKeys = {
  'app.interrupt': { defaultKeys: 'escape', description: 'Cancel or abort' },
  'app.clear': { defaultKeys: 'ctrl+c', description: 'Clear editor' },
  'app.exit': { defaultKeys: 'ctrl+d', description: 'Exit when editor is empty' },
}

/** The default keys; without the package none matches. */
export function piKeybindings(): Keybindings {
  if (loaded === undefined) return { matches: () => false }
  return new loaded.KeybindingsManager({ ...loaded.TUI_KEYBINDINGS, ...appKeys })
}
