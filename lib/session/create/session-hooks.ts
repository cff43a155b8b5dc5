// Adds the hook commands of the settings, and of a trusted project, to a session.
import { EMPTY, concat, merge } from 'rxjs'
import type { Observable } from 'rxjs'
import { joinHooks } from '../../operators/hooks/join-hooks.ts'
import { joinNotes } from '../../context/index.ts'
import { commandHooks } from '../../extensions/command-hooks/command-hooks.ts'
import type { CommandHookOptions } from '../../extensions/index.ts'
import type { Settings } from '../../streams/config/settings.ts'
import type { ProjectLayer } from '../../store/index.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { Hooks } from '../../streams/ports/hooks.ts'
import type { SessionOptions, SessionParts } from '../contract/session-parts.ts'

/** The hooks of a trusted project, and the file that names them. */
export type ProjectHooks = Pick<CommandHookOptions, 'commands' | 'file'>

interface HookSources extends Omit<CommandHookOptions, 'commands'> {
  readonly settings: Pick<Settings, 'hooks'>
  /** They run last. Default: none. */
  readonly project?: ProjectHooks | undefined
  /** Hooks of the program; they run first. Default: none. */
  readonly own?: Hooks | undefined
  readonly notes: SessionParts['contextNotes']
}

/**
 * Parts and options that replace those without commands; empty if the settings name none.
 * @throws Failure `bad_config`
 */
export function sessionHooks({ settings, project, own, notes, ...options }: HookSources): {
  readonly parts: Pick<SessionParts, 'contextNotes' | 'beforeEnd$'>
  readonly options: Pick<SessionOptions, 'hooks' | 'beforeCompaction'>
  /** Runs the commands that observe the session. Emits nothing, and ends with the events. */
  follow(event$: Observable<AgentEvent>): Observable<never>
} {
  const sources = [
    ...(settings.hooks === undefined ? [] : [{ commands: settings.hooks }]),
    ...(project ? [project] : []),
  ]
  const commands = sources.flatMap((source) => commandHooks({ ...options, ...source }) ?? [])
  if (commands.length === 0) return { parts: {}, options: {}, follow: () => EMPTY }
  const gates = commands.flatMap(({ beforeCompaction }) => beforeCompaction ?? [])
  return {
    parts: {
      contextNotes: joinNotes([notes, ...commands.map((each) => each.notes)]),
      beforeEnd$: merge(...commands.map(({ end$ }) => end$)),
    },
    options: {
      hooks: joinHooks([...(own === undefined ? [] : [own]), ...commands.map(({ hooks }) => hooks)]),
      ...(gates.length > 0 && { beforeCompaction: (input) => concat(...gates.map((gate) => gate(input))) }),
    },
    follow: (event$) => merge(...commands.map(({ follow }) => follow(event$))),
  }
}

/** Undefined without hooks. */
export function hooksOfProject(layer: ProjectLayer | undefined): ProjectHooks | undefined {
  return layer?.hooks && { commands: layer.hooks, file: layer.file }
}
