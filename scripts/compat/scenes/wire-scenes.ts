// Lists the recorded conversations in the order in which one server has them.
// The last one ends the server.
import { blobs, channelTools, progress, run, shutdown, streaming } from './wire-run-scenes.ts'
import type { WireScene } from './wire-scene.ts'
import { branches, greeting, sessions, settings } from './wire-session-scenes.ts'

const parts = [greeting, sessions, run, streaming, progress, channelTools, settings, branches, blobs]
export const wireScenes: readonly WireScene[] = [...parts, shutdown]
