// What a user's settings say of every run, as a session's options take it.
import type { Settings } from '../streams/settings.ts'
import type { SessionOptions } from './session-parts.ts'

/** Only what somebody set: the defaults are the session's. */
export function settingsOptions(
  settings: Settings,
): Pick<SessionOptions, 'limits' | 'toolExecution' | 'steering' | 'queueModes'> {
  const { limits, toolExecution, steering, steeringMode, followUpMode } = settings
  return {
    ...(limits === undefined ? {} : { limits }),
    ...(toolExecution === undefined ? {} : { toolExecution }),
    ...(steering === undefined ? {} : { steering }),
    queueModes: {
      ...(steeringMode === undefined ? {} : { steering: steeringMode }),
      ...(followUpMode === undefined ? {} : { followUp: followUpMode }),
    },
  }
}
