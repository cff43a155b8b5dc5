// Folds the texts for the editor: each waits in the view until the editor has it.
import type { ViewInput } from './view-input.ts'
import type { Draft } from './view.ts'

/** Drafts in a view. */
const draftsLimit = 100

/** Several may come before the next frame, with which the editor takes them. */
export function addDraft(
  drafts: readonly Draft[],
  { text, images = [], replaces = false }: Extract<ViewInput, { type: 'draft' }>,
): readonly Draft[] {
  const revision = (drafts.at(-1)?.revision ?? 0) + 1
  return [...drafts, { text, images, replaces, revision }].slice(-draftsLimit)
}

/** Drops what the editor has; an empty draft stays for its number. */
export function dropDrafts(drafts: readonly Draft[], upTo: number): readonly Draft[] {
  return [{ text: '', revision: upTo }, ...drafts.filter(({ revision }) => revision > upTo)]
}
