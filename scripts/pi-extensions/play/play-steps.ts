// Drives a player through the steps of a situation; both sides have a player.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { MockEndpoint } from './mock-endpoint.ts'
import type { Situation, Step } from '../contract/situation.ts'

/** One side, with a session open. Each method settles when the session is idle again. */
export interface Player {
  prompt(text: string): Promise<void>
  bash(command: string): Promise<void>
  key(shortcut: string): Promise<void>
  session(action: 'new' | 'fork' | 'compact' | 'reload'): Promise<void>
  model(id: string): Promise<void>
}

/** Plays the steps; a step that fails is an error of the record, and the next one follows. */
export async function playSteps(
  player: Player,
  { steps }: Situation,
  { endpoint, cwd, errors }: { readonly endpoint: MockEndpoint; readonly cwd: string; readonly errors: string[] },
): Promise<void> {
  for (const step of steps) {
    if ('model' in step && Array.isArray(step.model)) endpoint.script(step.model)
    try {
      await playStep(player, step, cwd)
    } catch (error) {
      errors.push(`${Object.keys(step)[0] ?? ''}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

async function playStep(player: Player, step: Step, cwd: string): Promise<void> {
  if ('prompt' in step) await player.prompt(step.prompt)
  else if ('bash' in step) await player.bash(step.bash)
  else if ('key' in step) await player.key(step.key)
  else if ('session' in step) await player.session(step.session)
  else if ('write' in step) await writeAsOther(path.resolve(cwd, step.write), step.text)
  else await player.model(step.model)
}

/** An extension that watches the file has time to react. */
async function writeAsOther(file: string, text: string): Promise<void> {
  writeFileSync(file, text)
  await new Promise((resolve) => setTimeout(resolve, 200))
}
