// Records the fixtures of `test/compat` with a build of the baseline, or of a commit.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { baseline, builtCommit, root } from './harness/built-commit.ts'
import { createWorkspace } from './harness/place.ts'
import { storeFile } from './fixture-files.ts'
import { recordClient } from './record-client.ts'
import { recordLogs } from './record-logs.ts'
import { recordWire } from './record-wire.ts'
import { surfaceOf } from './surface.ts'

/** Fixed, because recordings contain it. */
const top = '/tmp/rxpi-recorded'
const fixtures = path.join(root, 'test/compat/fixtures')

using build = builtCommit(process.argv[2] ?? baseline)
rmSync(fixtures, { recursive: true, force: true })
rmSync(top, { recursive: true, force: true })
using workspace = createWorkspace(top)
await recordLogs(workspace, build.folder, fixtures)
await recordWire(workspace, build.folder, fixtures)
await recordClient(build.folder, fixtures)
const surface = await surfaceOf(workspace, build.folder)
storeFile(path.join(fixtures, 'surface.json'), Buffer.from(`${JSON.stringify(surface)}\n`))
