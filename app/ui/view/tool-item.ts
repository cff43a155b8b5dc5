// A tool call's item from what is known of it first.
import type { ToolItem } from './view-item.ts'

export function newToolItem(known: Pick<ToolItem, 'id' | 'name' | 'block' | 'state'> & Partial<ToolItem>): ToolItem {
  return {
    kind: 'tool',
    argumentsText: '',
    argumentsLength: 0,
    tail: '',
    isError: false,
    content: [],
    ...known,
  }
}
