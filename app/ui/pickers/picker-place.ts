// What every picker is given: the view, and the room that it may take.
import type { View } from '../view/view.ts'

export interface PickerPlace {
  readonly view: View
  /** Cells. */
  readonly columns: number
  /** Lines. */
  readonly height: number
  /** What was typed behind the command. Default: nothing. */
  readonly argument?: string | undefined
}
