// A course is what one agent did in a situation, as lines that name nothing of that agent's own.

export const courseParts = ['events', 'requests', 'tools', 'transcript', 'promises'] as const
export type CoursePart = (typeof courseParts)[number]

/**
 * `events`: in the short notation, with the requests (`ask`), hooks (`before`, `after`) and tools (`run`) in their midst. `requests`: the messages that each request held. `tools`: the calls that were run and
 * with what arguments. `transcript`: what is kept at the end. `promises`: how each prompt and continue settled.
 */
export type Course = Readonly<Record<CoursePart, readonly string[]>>
