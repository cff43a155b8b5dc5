// The list, and how it changes: no rxpi in here, so that it is easy to test.
export interface Item {
  readonly id: number
  readonly text: string
  readonly done: boolean
}

export type Change =
  | { readonly action: 'add'; readonly text: string }
  | { readonly action: 'toggle'; readonly id: number }

/** @throws if there is no such item */
export function applyChange(items: readonly Item[], change: Change): readonly Item[] {
  if (change.action === 'add') {
    const id = Math.max(0, ...items.map((item) => item.id)) + 1
    return [...items, { id, text: change.text, done: false }]
  }
  if (!items.some(({ id }) => id === change.id)) throw new Error(`There is no item ${change.id}`)
  return items.map((item) => (item.id === change.id ? { ...item, done: !item.done } : item))
}

export function describe(items: readonly Item[]): string {
  return items.map(({ id, text, done }) => `${done ? '☑' : '☐'} ${id}. ${text}`).join('\n') || 'The list is empty'
}
