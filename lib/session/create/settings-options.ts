// What a user's settings say of every run, as a session's options take it.
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { Settings } from '../../streams/config/settings.ts'
import type { SessionOptions } from '../contract/session-parts.ts'

/** Only what somebody set: the defaults are the session's. What the session was left with goes before the settings. */
export function settingsOptions(
  settings: Settings,
  left: Pick<SessionState, 'queueModes'> = {},
): Pick<SessionOptions, 'limits' | 'toolExecution' | 'steering' | 'queueModes'> {
  const { limits, toolExecution, steering, steeringMode, followUpMode } = settings
  return {
    ...(limits === undefined ? {} : { limits }),
    ...(toolExecution === undefined ? {} : { toolExecution }),
    ...(steering === undefined ? {} : { steering }),
    queueModes: {
      ...(steeringMode === undefined ? {} : { steering: steeringMode }),
      ...(followUpMode === undefined ? {} : { followUp: followUpMode }),
      ...left.queueModes,
    },
  }
}
