// Provides sample events for tests of the view.

export const call = { type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'ls' } } as const

export const text = (value: string) => ({ type: 'text', text: value }) as const
