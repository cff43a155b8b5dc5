// React hook of the completion list: opens it while a command or path is typed, inserts the choice.
import { useEffect, useRef, useState } from 'react'
import type { EditorHandle } from '../editor/editor-handle.ts'
import type { ActionName } from '../keys/actions.ts'
import { completionAt } from './completion.ts'
import type { CompletionQuery, FindSuggestions, Suggestion } from './completion.ts'

export interface Completion {
  /** Empty: the list is closed. */
  readonly suggestions: readonly Suggestion[]
  readonly chosen: number
  /** Returns true if the list handled the action. */
  act(action: ActionName): boolean
  /** Opens the list again after it was closed; while the suggestions are on their way, inserts the first when it comes. */
  ask(): void
}

interface Shown {
  readonly suggestions: readonly Suggestion[]
  readonly chosen: number
  /** The query of these suggestions. */
  readonly foundFor: string
}

const noSuggestions: Shown = { suggestions: [], chosen: 0, foundFor: '' }
const pageRows = 8

export function useCompletion(editor: EditorHandle, find: FindSuggestions, isActive: boolean): Completion {
  const { buffer } = editor.state
  const completed = isActive ? completionAt(buffer) : undefined
  const key = keyOf(completed)
  /** Query at which the user closed the list; it stays closed until the query changes. */
  const [dismissed, setDismissed] = useState('')
  const isOpen = completed !== undefined && dismissed !== key
  const { shown, show, insertFirst } = useSuggestions(editor, find, isOpen ? completed : undefined)
  const { suggestions, chosen, foundFor } = isOpen ? shown : noSuggestions
  /** Ahead of the drawn value: one chunk of input may hold several keys. */
  const ahead = useRef(chosen)
  ahead.current = chosen
  const parts = (): ListParts => ({
    suggestions,
    chosen: ahead.current,
    foundFor,
    editor,
    choose: (index) => {
      ahead.current = Math.max(0, Math.min(suggestions.length - 1, index))
      show({ suggestions, chosen: ahead.current, foundFor })
    },
    close: () => {
      setDismissed(key)
    },
  })
  return {
    suggestions,
    chosen,
    ask: () => {
      const now = keyOf(completionAt(editor.now().buffer))
      if (now === dismissed) setDismissed('')
      else insertFirst(now)
    },
    act: (action) => suggestions.length > 0 && actInList(action, parts()),
  }
}

interface Suggestions {
  readonly shown: Shown
  show(next: Shown): void
  /** Inserts the first suggestion for a query, or waits for it; nothing is inserted if the text has changed by then. */
  insertFirst(query: string): void
}

/** Finds the suggestions for what is being typed; undefined: none. */
function useSuggestions(
  editor: EditorHandle,
  find: FindSuggestions,
  completed: CompletionQuery | undefined,
): Suggestions {
  const [shown, setShown] = useState(noSuggestions)
  /** Ahead of the drawn list: a key can come between. */
  const found = useRef(noSuggestions)
  /** The query whose first suggestion is inserted when it comes. */
  const awaited = useRef('')
  const latest = useRef(find)
  latest.current = find
  const show = (next: Shown): void => {
    found.current = next
    setShown(next)
  }
  const key = keyOf(completed)
  useEffect(() => {
    if (completed === undefined) {
      show(noSuggestions)
      return undefined
    }
    const subscription = latest.current(completed).subscribe((suggestions) => {
      const next = { suggestions, chosen: 0, foundFor: key }
      const isAwaited = awaited.current === key && suggestions.length > 0
      if (isAwaited) awaited.current = ''
      if (!isAwaited || !insertSuggestion({ ...next, editor })) show(next)
    })
    return () => {
      subscription.unsubscribe()
    }
  }, [key])
  const insertFirst = (query: string): void => {
    if (found.current.foundFor !== query) awaited.current = query
    else insertSuggestion({ ...found.current, editor })
  }
  return { shown, show, insertFirst }
}

function keyOf(completed: CompletionQuery | undefined): string {
  return completed === undefined ? '' : `${completed.kind} ${completed.from} ${completed.query}`
}

interface InsertParts extends Shown {
  readonly editor: EditorHandle
}

interface ListParts extends InsertParts {
  choose(index: number): void
  close(): void
}

function actInList(action: ActionName, parts: ListParts): boolean {
  const { suggestions, chosen, choose, close } = parts
  const last = suggestions.length - 1
  switch (action) {
    case 'listUp':
      choose(chosen === 0 ? last : chosen - 1)
      return true
    case 'listDown':
      choose(chosen === last ? 0 : chosen + 1)
      return true
    case 'listPageUp':
      choose(chosen - pageRows)
      return true
    case 'listPageDown':
      choose(chosen + pageRows)
      return true
    case 'listComplete':
      return insertSuggestion(parts)
    case 'listAccept':
      return !isComplete(parts) && insertSuggestion(parts)
    case 'listCancel':
      close()
      return true
    default:
      return false
  }
}

/** Returns false if the text has changed since the suggestions were found. */
function insertSuggestion({ suggestions, chosen, foundFor, editor }: InsertParts): boolean {
  const suggestion = suggestions[chosen]
  const completed = completionAt(editor.now().buffer)
  if (suggestion === undefined || completed === undefined || keyOf(completed) !== foundFor) return false
  editor.edit({ type: 'replace', from: completed.from, text: suggestion.value })
  return true
}

const marks = { command: '/', file: '@', scenario: '', role: '@' } as const

/** True if the text is already complete: Enter sends it. */
function isComplete({ suggestions, chosen, editor }: ListParts): boolean {
  const completed = completionAt(editor.now().buffer)
  return completed !== undefined && suggestions[chosen]?.value.trim() === `${marks[completed.kind]}${completed.query}`
}
