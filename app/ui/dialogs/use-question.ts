// React hooks of a question: key handling, scrolling and countdown.
import { useState, useEffect } from 'react'
import { timer } from 'rxjs'
import { useLatest } from '../hooks/use-latest.ts'
import type { ActionName } from '../keys/actions.ts'
import type { KeyPress } from '../keys/key-press.ts'
import { useSettledKeys } from '../keys/use-settled-keys.ts'
import { moveChoice } from '../lists/list-state.ts'
import type { Choice, Picked } from './choices.ts'
import type { QuestionContent } from './question-content.ts'

export interface QuestionOptions {
  readonly content: QuestionContent
  /** Number of lines of the question. */
  readonly count: number
  /** Number of visible lines. */
  readonly room: number
  readonly onPick: (picked: Picked) => void
}

export interface QuestionState {
  readonly selected: number
  /** First visible line. */
  readonly top: number
  /** The choice whose text the user types. */
  readonly typing: Choice | undefined
  /** Called with the text, or undefined if the user cancels. */
  submitText(text: string | undefined): void
}

/** Handles the keys of a question: selects, scrolls, opens the line for a typed answer, and picks. */
export function useQuestion({ content, count, room, onPick }: QuestionOptions): QuestionState {
  const { choices, decline } = content
  const isInput = choices.length === 0
  const selected = useLatest(content.initial)
  const [scrolled, setTop] = useState(0)
  const [typing, setTyping] = useState<Choice>()
  const last = Math.max(0, count - room)
  const top = Math.min(scrolled, last)
  const pick = (choice: Choice | undefined): void => {
    if (choice?.typed !== undefined) setTyping(choice)
    else if (choice !== undefined) onPick(choice.picked)
  }
  const onKey = (action: ActionName | undefined, press: KeyPress): void => {
    if (action === 'listAccept') pick(choices[selected.now()])
    else if (action === 'listCancel') onPick(decline)
    else if (action === 'listPageUp') setTop((before) => Math.max(0, Math.min(before, last) - room))
    else if (action === 'listPageDown') setTop((before) => Math.min(last, before + room))
    else if (action !== undefined) selected.put(moveChoice(selected.now(), action, choices.length, choices.length))
    else if (press.kind === 'text') pick(choices.find(({ letter }) => letter === press.text.toLowerCase()))
  }
  useSettledKeys(onKey, !isInput && typing === undefined)
  const submitText = (text: string | undefined): void => {
    if (isInput) onPick(text === undefined ? decline : content.textAnswer(text))
    else {
      const picked = text === undefined ? undefined : typing?.typed?.answer(text)
      if (picked === undefined) setTyping(undefined)
      else onPick(picked)
    }
  }
  return { selected: selected.drawn, top, typing, submitText }
}

/** Counts down from the first rendering: the seconds that remain, rounded up; undefined without a limit. */
export function useCountdown(timeoutMs: number | undefined): number | undefined {
  const [left, setLeft] = useState(timeoutMs)
  useEffect(() => {
    if (timeoutMs === undefined) return undefined
    const until = Date.now() + timeoutMs
    const subscription = timer(0, 1_000).subscribe(() => {
      setLeft(Math.max(0, until - Date.now()))
    })
    return () => {
      subscription.unsubscribe()
    }
  }, [timeoutMs])
  return left === undefined ? undefined : Math.ceil(left / 1_000)
}
