// Records the events and commands of a build's client library for the recorded lines of a server.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { storeFile } from './fixture-files.ts'
import { playClient, playedScenes } from './play-client.ts'
import type { ClientKind } from './play-client.ts'
import { stepsOf } from './transcript.ts'
import type { Step } from './transcript.ts'

export const clientKinds: readonly ClientKind[] = ['connectOnce', 'connect']

/** The steps of a recorded conversation. */
export const recordedSteps = (fixtures: string, scene: string): Step[] =>
  stepsOf(
    readFileSync(path.join(fixtures, 'wire', `${scene}.txt`), 'utf8')
      .trimEnd()
      .split('\n'),
  )

export const clientRecording = (fixtures: string): string => path.join(fixtures, 'client.json')

export async function recordClient(build: string, fixtures: string): Promise<void> {
  const recorded: Record<string, unknown> = {}
  for (const kind of clientKinds) {
    for (const scene of playedScenes) {
      recorded[`${kind} ${scene}`] = await playClient(build, kind, recordedSteps(fixtures, scene))
    }
  }
  storeFile(clientRecording(fixtures), Buffer.from(`${JSON.stringify(recorded)}\n`))
}
