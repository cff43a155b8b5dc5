// A list takes the keys, filtered already where something was typed behind its command.
import type { Ui } from '../ui.ts'

export function openPicker(ui: Ui, picker: string, argument = ''): void {
  ui.input({ type: 'overlay', overlay: { name: 'picker', picker, ...(argument === '' ? {} : { argument }) } })
}
