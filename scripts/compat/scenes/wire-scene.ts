// Defines a recorded conversation of a client with a server over the Unix socket.
// It also creates the conversation's folder and script.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Workspace } from '../harness/place.ts'
import type { WireClient } from '../harness/wire-client.ts'

export interface WireScene {
  readonly name: string
  /** Answers of the scene's model. */
  readonly script: readonly unknown[]
  /** Files of the scene's folder. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  talk(client: WireClient, surroundings: Surroundings): Promise<void>
}

export interface Surroundings {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly model: string
}

/** Creates the folder and the script of a scene: the same for the recording and for each comparison. */
export function prepare(workspace: Workspace, { name, script, files = {} }: WireScene): Surroundings {
  const cwd = path.join(workspace.folder, name)
  mkdirSync(cwd, { recursive: true })
  for (const [file, content] of Object.entries(files)) writeFileSync(path.join(cwd, file), content)
  return { cwd, env: workspace.env, model: workspace.scripted(`wire-${name}`, script) }
}

export async function createdSession(client: WireClient, fields: object): Promise<string> {
  return String((await client.result({ type: 'new_session', ...fields }))['session'])
}

/** Sends commands one by one; each answer, also an error, is part of the recording. */
export async function askAll(client: WireClient, commands: readonly object[]): Promise<void> {
  for (const command of commands) {
    await client.ask(command)
    await client.quiet(15)
  }
}
