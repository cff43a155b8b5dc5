// The terminal says when its user looks at it and when not: asked for, and taken back, by these.
export const focusReports = { on: '\u001b[?1004h', off: '\u001b[?1004l' } as const
