// Submits what the user wrote: as a prompt, as a shell command of the user, or as a slash command.
import { askServer, withSession } from '../commands/ask-server.ts'
import { scenarioPrompt } from '../commands/scenario-commands.ts'
import { isOwnCommand, isPromptCommand, runSlashCommand } from '../commands/slash-commands.ts'
import { serverCommands } from '../completion/find-suggestions.ts'
import type { Ui } from '../contract/ui.ts'
import type { Unit } from '../editor/unit.ts'
import { failureNotice } from '../view/failure-notice.ts'
import { readInput } from './read-prompt.ts'
import { sendInput } from './send-input.ts'

export interface Written {
  readonly units: readonly Unit[]
  /** Absolute base of relative paths. */
  readonly cwd: string
  readonly how: 'steer' | 'follow_up'
}

/** Returns false if the text stays in the editor. */
export function submitInput(ui: Ui, { units, cwd, how }: Written): boolean {
  try {
    const input = readInput(units, cwd)
    if (input === undefined) return false
    if (input.kind === 'command') return runCommand(ui, input, how)
    if (input.kind === 'bash') runOwnCommand(ui, input)
    else sendInput(ui, input, how)
    return true
  } catch (error) {
    ui.input(failureNotice(error))
    return false
  }
}

/** A command that the UI does not have may be one of the session's server; otherwise the text returns to the editor. */
function runCommand(
  ui: Ui,
  { name, argument }: { readonly name: string; readonly argument: string },
  how: Written['how'],
): boolean {
  const { session } = ui.now()
  const text = argument === '' ? `/${name}` : `/${name} ${argument}`
  if (isPromptCommand(name, argument)) {
    sendInput(ui, { text, images: [] }, how)
    return true
  }
  const inScenario = scenarioPrompt(name, argument)
  if (session !== undefined && inScenario !== undefined) {
    const { phase, text: prompt } = inScenario
    ui.request({ type: 'set_scenario_phase', session: session.id, ...phase }).subscribe({
      next: () => {
        sendInput(ui, { text: prompt, images: [] }, how)
      },
      error: (error: unknown) => {
        ui.input(failureNotice(error))
        ui.input({ type: 'draft', text, images: [] })
      },
    })
    return true
  }
  if (session === undefined || isOwnCommand(ui, name)) return runSlashCommand(ui, name, argument)
  serverCommands(ui, session.id).subscribe((commands) => {
    if (commands.some((command) => command.name === name)) sendInput(ui, { text, images: [] }, how)
    else if (!runSlashCommand(ui, name, argument)) ui.input({ type: 'draft', text, images: [] })
  })
  return true
}

function runOwnCommand(ui: Ui, { command, forModel }: { readonly command: string; readonly forModel: boolean }): void {
  withSession(ui, (session) => {
    askServer(ui, { type: 'user_bash', session, command, ...(forModel ? {} : { exclude: true }) })
  })
}
