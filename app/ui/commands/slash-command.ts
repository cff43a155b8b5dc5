// A slash command is an entry of a table: what it is called, what it takes, when it is there, and what it does.
import type { Ui } from '../contract/ui.ts'
import type { View } from '../view/view.ts'

export interface SlashCommand {
  /** Without the slash. */
  readonly name: string
  readonly aliases?: readonly string[]
  readonly description: string
  /** What may stand behind it, as people write it: `[name]`. */
  readonly argument?: string
  /** Absent: always. One that is not offered is neither completed nor carried out. */
  isOffered?(view: View): boolean
  /** Acts at once; what goes wrong is told as a line for people. `argument` is trimmed, '' for none. */
  run(ui: Ui, argument: string): void
}
