// A course: the actions of one agent in a situation, as lines without names of that agent.

export const courseParts = ['events', 'requests', 'tools', 'transcript', 'promises'] as const
export type CoursePart = (typeof courseParts)[number]

/**
 * `events`: in the short notation, with the requests (`ask`), hooks (`before`, `after`) and tools (`run`) between them.
 * `requests`: the messages of each request. `tools`: the calls that ran, with their arguments. `transcript`: the
 * messages at the end. `promises`: how each prompt and continue settled.
 */
export type Course = Readonly<Record<CoursePart, readonly string[]>>
