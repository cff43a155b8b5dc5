// Types of the conformance cases: a case has a stable id and states one promise.

export interface Section {
  /** The prefix of its case ids, and the heading on the page. */
  readonly id: string
  readonly about: string
  /** The promise by its id. */
  readonly cases: Readonly<Record<string, string>>
}

export interface Chapter {
  readonly title: string
  readonly about: string
  readonly sections: readonly Section[]
}
