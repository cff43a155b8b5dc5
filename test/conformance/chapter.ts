// What rxpi promises, as data: a case has an id that stays, and says in one sentence what holds.

/** The parts of the work that are not built yet. */
export type Part = 'tools and safety' | 'context engineering' | 'extensions' | 'the rest of the command line'

export interface ToCome {
  readonly says: string
  /** With what it comes. */
  readonly comesWith: Part
}

/** A case is what it says, and is built; or it is to come. */
export type Case = string | ToCome

export interface Section {
  /** What the ids of its cases begin with; the heading on the page. */
  readonly id: string
  readonly about: string
  readonly cases: Readonly<Record<string, Case>>
}

export interface Chapter {
  readonly title: string
  readonly about: string
  readonly sections: readonly Section[]
}
