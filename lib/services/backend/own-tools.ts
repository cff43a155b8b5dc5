// Builds the tools of a session before extensions: those of the program and the built-in ones.
import type { LayeredTools } from '../../session/extensions/extension-tools.ts'
import type { Configuration } from '../../store/index.ts'
import { toolsByLayer } from '../../tools/index.ts'
import type { BuiltInOptions } from '../../tools/index.ts'
import type { ProgramSessionOptions } from '../contract/program-sessions.ts'
import { toolsFor } from './program-options.ts'

export function ownTools(
  own: ProgramSessionOptions,
  home: string | undefined,
  settings: Configuration['settings'],
): LayeredTools {
  const builtIn = toolsByLayer(toolOptions(home, settings))
  return { ...builtIn, base: toolsFor(own, builtIn.base) }
}

/** The options of the built-in tools under these settings. */
export function toolOptions(home: string | undefined, { bash }: Configuration['settings']): BuiltInOptions {
  return {
    ...(home === undefined ? {} : { home }),
    ...(bash?.timeoutMs === undefined ? {} : { bashTimeoutMs: bash.timeoutMs }),
    ...(bash?.persist === undefined ? {} : { bashPersist: bash.persist }),
    ...(bash?.clientTerminal === undefined ? {} : { bashClientTerminal: bash.clientTerminal }),
  }
}
