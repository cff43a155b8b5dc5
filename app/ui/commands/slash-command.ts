// Interface of a slash command: name, argument, condition and action.
import type { Ui } from '../contract/ui.ts'
import type { View } from '../view/view.ts'

export interface SlashCommand {
  /** Without the slash. */
  readonly name: string
  readonly aliases?: readonly string[]
  readonly description: string
  /** Syntax of the argument for the help: `[name]`. */
  readonly argument?: string
  /** Absent: always. A command that is not offered is neither completed nor run. */
  isOffered?(view: View): boolean
  /** True for an argument with which the command is a prompt that the session's server expands. Absent: never. */
  isPrompt?(argument: string): boolean
  /** Runs the command and shows a failure as a notice. `argument` is trimmed, '' for none. */
  run(ui: Ui, argument: string): void
}
