// A trace: the actions of one agent in a situation, as lines without names of that agent.

export const traceParts = ['events', 'requests', 'tools', 'transcript', 'promises'] as const
export type TracePart = (typeof traceParts)[number]

/**
 * `events`: in the short notation, with the requests (`ask`), hooks (`before`, `after`) and tools (`run`) between them.
 * `requests`: the messages of each request. `tools`: the calls that ran, with their arguments. `transcript`: the
 * messages at the end. `promises`: how each prompt and continue settled.
 */
export type AgentTrace = Readonly<Record<TracePart, readonly string[]>>
