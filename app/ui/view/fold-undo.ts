// Folds an undo of this client: its notice comes after the quoted end of the conversation.
import { addNotice } from './view.ts'
import type { View } from './view.ts'
import type { ViewInput } from './view-input.ts'

/** The beginning of an undo, its result, or its end, which a held notice outlasts. */
export function foldUndo(view: View, input: Extract<ViewInput, { type: 'undoing' | 'undone' }>): View {
  const { undoing, ...rest } = view
  if (input.type === 'undone')
    return withNotice({ ...view, undoing: { stage: undoing?.stage ?? 'quoted', text: input.text } })
  if (input.isUndoing) return { ...view, undoing: { stage: 'moving' } }
  return undoing?.text === undefined ? rest : view
}

/** The head has moved. @param isEmpty no entry is left, so nothing is quoted */
export function foldUndoneHead(view: View, isEmpty: boolean): View {
  if (view.undoing?.stage !== 'moving') return view
  return withNotice({ ...view, undoing: { ...view.undoing, stage: isEmpty ? 'quoted' : 'quoting' } })
}

/** The end of the conversation is shown. */
export function foldQuotedEnd(view: View): View {
  if (view.undoing?.stage !== 'quoting') return view
  return withNotice({ ...view, undoing: { ...view.undoing, stage: 'quoted' } })
}

function withNotice(view: View): View {
  const { undoing, ...rest } = view
  if (undoing?.stage !== 'quoted' || undoing.text === undefined) return view
  return addNotice(rest, { level: 'success', text: undoing.text })
}
