// What the user's settings say of this screen, as inputs of the view; all other settings are the server's to follow.
import type { Setting } from '../../../lib/streams/commands/config-commands.ts'
import type { ViewInput } from '../view/view-input.ts'

/** For each of these that is about the screen its input, also where nobody has set it: then it is as it is by default. */
export function uiSettings(settings: readonly Setting[]): readonly ViewInput[] {
  return settings.flatMap(({ key, value }): readonly ViewInput[] => {
    if (key === 'theme') return [{ type: 'theme', ...(value === 'dark' || value === 'light' ? { theme: value } : {}) }]
    return key === 'notifications' ? [{ type: 'notifies', notifies: value !== 'off' }] : []
  })
}
