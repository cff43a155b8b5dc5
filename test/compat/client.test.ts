// Tests that the client library handles recorded server lines as the recorded build did.
// It must send and emit the same.
import { beforeAll, expect, it } from 'vitest'
import { storedFile } from '../../scripts/compat/fixture-files.ts'
import { playClient, playedScenes } from '../../scripts/compat/play-client.ts'
import { clientKinds, clientRecording, recordedSteps } from '../../scripts/compat/record-client.ts'
import { buildLimitMs, ensureBuilt, fixtures, root } from './recorded-place.ts'

const recorded = JSON.parse(storedFile(clientRecording(fixtures)).toString()) as Readonly<Record<string, unknown[]>>

beforeAll(ensureBuilt, buildLimitMs)

it.each(clientKinds.flatMap((kind) => playedScenes.map((scene) => ({ kind, scene }))))(
  'the client of “$kind” follows the recorded server of “$scene” as before',
  async ({ kind, scene }) => {
    const then = recorded[`${kind} ${scene}`]
    const now = await playClient(root, kind, recordedSteps(fixtures, scene))
    const asJson = JSON.parse(JSON.stringify(now)) as unknown[]
    expect(asJson).toEqual(then)
    expect(JSON.stringify(asJson)).toBe(JSON.stringify(then)) // also compares the order of the fields
  },
)
