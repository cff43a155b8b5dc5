// Events as a view is told them.

export const call = { type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'ls' } } as const

export const text = (value: string) => ({ type: 'text', text: value }) as const
