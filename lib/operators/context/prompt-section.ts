// Replaces, extends or adds one section of a system prompt.
import { map } from 'rxjs'
import type { PromptSections, PromptTransform } from '../../streams/ports/prompt-sections.ts'
import { Failure } from '../../streams/values/failure.ts'

/** The position of a section that the prompt does not have yet. Default: the end. */
export interface PromptPosition {
  readonly before?: string
  readonly after?: string
}

/**
 * Sets the text of the section `name`; a function gets the text so far (`''` for a new section) and returns the next
 * one. An empty text removes the section from the prompt. A section that exists keeps its place.
 *
 * Ends with its source and fails with it, with what the function throws, or with a Failure `bad_request` if `position`
 * names a section that is not there. Buffers nothing; on unsubscribe the source is unsubscribed.
 */
export function promptSection(
  name: string,
  text: string | ((before: string) => string),
  position: PromptPosition = {},
): PromptTransform {
  return map((sections) => {
    const index = sections.findIndex((section) => section.name === name)
    const next = { name, text: typeof text === 'string' ? text : text(sections[index]?.text ?? '') }
    return index === -1 ? sections.toSpliced(indexOf(sections, position), 0, next) : sections.with(index, next)
  })
}

function indexOf(sections: PromptSections, { before, after }: PromptPosition): number {
  const named = before ?? after
  if (named === undefined) return sections.length
  const index = sections.findIndex(({ name }) => name === named)
  if (index !== -1) return before === undefined ? index + 1 : index
  const known = sections.map(({ name }) => name).join(', ')
  throw new Failure('bad_request', `promptSection: there is no section "${named}"; sections: ${known}`)
}
