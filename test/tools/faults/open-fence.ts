// A sandbox of a session that runs commands outside and opens files behind the real fence.
import { spawnProcess } from '../../../lib/host/process/spawn-process.ts'
import { createPathFence } from '../../../lib/host/sandbox/path-fence.ts'
import type { SessionSandbox } from '../../../lib/streams/ports/sandbox.ts'
import { fakeSandbox } from '../../support/fake-sandbox.ts'

/** It refuses nothing in the folder and no plain file elsewhere. */
export function openFence(folder: string): SessionSandbox {
  const fence = createPathFence({
    mode: 'off',
    workspace: folder,
    homeFolder: '/nonexistent',
    rxpiFolders: [],
  })
  return fakeSandbox({ profile: undefined, fence, fenceOf: () => fence, spawn: spawnProcess })
}
