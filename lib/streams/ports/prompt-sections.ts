// The sections of a system prompt: named texts in the order in which the model reads them.
import type { MonoTypeOperatorFunction } from 'rxjs'

export interface PromptSection {
  readonly name: string
  /** Empty: the prompt leaves the section out. */
  readonly text: string
}

export type PromptSections = readonly PromptSection[]

/** Changes the sections of a session's system prompt; see `promptSection`. */
export type PromptTransform = MonoTypeOperatorFunction<PromptSections>

/** The sections of the default prompt, in order. */
export const sectionNames = [
  'preamble',
  'tools',
  'rules',
  'instructions',
  'skills',
  'folder',
  'scenario',
  'append',
] as const
export type SectionName = (typeof sectionNames)[number]

/** The system prompt: the texts that are not empty, with a blank line between them. */
export function joinSections(sections: PromptSections): string {
  return sections
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n\n')
}
