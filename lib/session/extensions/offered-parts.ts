// Gives clients what extensions and packages of a session offer: surfaces, themes, models, renderers.
import { concat, defer, of } from 'rxjs'
import { noExtensionUi } from '../../streams/commands/extension-ui-commands.ts'
import type { ExtensionTheme, ExtensionUi } from '../../streams/commands/extension-ui-commands.ts'
import type { SessionParts } from '../contract/session-parts.ts'
import type { Session } from '../contract/session.ts'
import { extensionModels } from './extension-models.ts'
import { renderEvent } from './render-event.ts'

/** Collects the extensions' offer to the clients. */
export function offeredParts({
  extensions,
  packageThemes = [],
}: Pick<SessionParts, 'extensions' | 'packageThemes'>): Pick<
  Session,
  'surfaces' | 'extensionUi' | 'extensionModels' | 'renderEvent' | 'reload'
> {
  if (extensions === undefined) {
    return packageThemes.length === 0 ? {} : { extensionUi: () => withThemes(noExtensionUi, packageThemes) }
  }
  const { surfaces, ui } = extensions
  return {
    surfaces,
    extensionUi: () => withThemes(ui(), packageThemes),
    reload: () =>
      concat(
        extensions.reload(),
        defer(() => of(extensions.loaded.map(({ name }) => name))),
      ),
    extensionModels: () => extensionModels(extensions),
    renderEvent: (event) => renderEvent(extensions, event),
  }
}

/** A theme of an extension precedes one of a package, and of two packages the first one. */
function withThemes(ui: ExtensionUi, more: readonly ExtensionTheme[]): ExtensionUi {
  const all = [...ui.themes, ...more]
  return { ...ui, themes: all.filter(({ name }, index) => all.findIndex((each) => each.name === name) === index) }
}
