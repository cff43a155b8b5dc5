// Types of the conformance cases: a case has a stable id and states one promise.

/** The parts of the work that are not built yet. */
export type Part = 'tools and safety' | 'context engineering' | 'extensions' | 'the rest of the command line'

export interface ToCome {
  readonly says: string
  /** The part that brings it. */
  readonly comesWith: Part
}

/** A text is a built promise; an object is a planned one. */
export type Case = string | ToCome

export interface Section {
  /** The prefix of its case ids, and the heading on the page. */
  readonly id: string
  readonly about: string
  readonly cases: Readonly<Record<string, Case>>
}

export interface Chapter {
  readonly title: string
  readonly about: string
  readonly sections: readonly Section[]
}
