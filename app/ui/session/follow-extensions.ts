// Does what extensions ask of the UI: a text for the editor, and another session on the screen.
import { tap } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { ViewInput } from '../view/view-input.ts'

export interface ExtensionWishes {
  /** @param replaces false: what is typed stays behind the text */
  draft(text: string, replaces: boolean): void
  /** @param session undefined: a new one */
  open(session: string | undefined): void
}

/** Passes the inputs of one session on, and acts at the events `status` with the codes `extension_editor` and `extension_open`. */
export function followExtensions({ draft, open }: ExtensionWishes): MonoTypeOperatorFunction<ViewInput> {
  return tap((input) => {
    if (input.type !== 'event' || input.event.type !== 'status') return
    const { code, context } = input.event
    const { text, keepTyped, session } = (context ?? {}) as Readonly<Record<string, unknown>>
    if (code === 'extension_editor' && typeof text === 'string') draft(text, keepTyped !== true)
    else if (code === 'extension_open') open(typeof session === 'string' ? session : undefined)
  })
}
