// Adds the hook commands of the settings to a session.
import { joinHooks } from '../../operators/hooks/join-hooks.ts'
import { joinNotes } from '../../context/index.ts'
import { commandHooks } from '../../extensions/command-hooks/command-hooks.ts'
import type { CommandHookOptions } from '../../extensions/index.ts'
import type { Settings } from '../../streams/config/settings.ts'
import type { Hooks } from '../../streams/ports/hooks.ts'
import type { SessionOptions, SessionParts } from '../contract/session-parts.ts'

interface HookSources extends Omit<CommandHookOptions, 'commands'> {
  readonly settings: Pick<Settings, 'hooks'>
  /** Hooks of the program; they run first. Default: none. */
  readonly own?: Hooks | undefined
  readonly notes: SessionParts['contextNotes']
}

/**
 * Parts and options that replace those without commands; empty if the settings name none.
 * @throws Failure `bad_config`
 */
export function sessionHooks({ settings, own, notes, ...options }: HookSources): {
  readonly parts: Pick<SessionParts, 'contextNotes' | 'beforeEnd$'>
  readonly options: Pick<SessionOptions, 'hooks'>
} {
  const commands = settings.hooks === undefined ? undefined : commandHooks({ ...options, commands: settings.hooks })
  if (commands === undefined) return { parts: {}, options: {} }
  return {
    parts: { contextNotes: joinNotes([notes, commands.notes]), beforeEnd$: commands.end$ },
    options: { hooks: joinHooks([...(own === undefined ? [] : [own]), commands.hooks]) },
  }
}
