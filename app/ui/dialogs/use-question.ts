// React hooks of a question: key handling, scrolling and countdown.
import { useState, useEffect } from 'react'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import { useLatest } from '../hooks/use-latest.ts'
import type { ActionName } from '../keys/actions.ts'
import type { KeyPress } from '../keys/key-press.ts'
import { useSettledKeys } from '../keys/use-settled-keys.ts'
import { moveChoice } from '../lists/list-state.ts'
import { choicesOf, declineOutcome, initialChoice } from './choices.ts'
import type { Choice } from './choices.ts'
import { timer } from 'rxjs'

export interface QuestionOptions {
  readonly request: EventNamed<'ui_request'>
  /** Number of lines of the question, and of visible lines. */
  readonly count: number
  readonly room: number
  readonly onAnswer: (outcome: unknown, text?: string) => void
}

export interface QuestionState {
  readonly choices: readonly Choice[]
  readonly selected: number
  /** First visible line. */
  readonly top: number
  /** The user types a text instead of a choice. */
  readonly isTyping: boolean
  /** Called with the text, or undefined if the user cancels. */
  submitText(text: string | undefined): void
}

export function useQuestion({ request, count, room, onAnswer }: QuestionOptions): QuestionState {
  const choices = choicesOf(request)
  const isInput = request.kind === 'input'
  const selected = useLatest(initialChoice(request, choices))
  const [scrolled, setTop] = useState(0)
  const [isTyping, setTyping] = useState(isInput)
  const last = Math.max(0, count - room)
  const top = Math.min(scrolled, last)
  const pick = (choice: Choice | undefined): void => {
    if (choice?.withText === true) setTyping(true)
    else if (choice !== undefined) onAnswer(choice.outcome)
  }
  const onKey = (action: ActionName | undefined, press: KeyPress): void => {
    if (action === 'listAccept') pick(choices[selected.now()])
    else if (action === 'listCancel') onAnswer(declineOutcome(request))
    else if (action === 'listPageUp') setTop((before) => Math.max(0, Math.min(before, last) - room))
    else if (action === 'listPageDown') setTop((before) => Math.min(last, before + room))
    else if (action !== undefined) selected.put(moveChoice(selected.now(), action, choices.length, choices.length))
    else if (press.kind === 'text') pick(choices.find(({ letter }) => letter === press.text.toLowerCase()))
  }
  useSettledKeys(onKey, !isTyping)
  const submitText = (text: string | undefined): void => {
    if (isInput) onAnswer(text ?? null)
    else if (text === undefined) setTyping(false)
    else onAnswer('deny', text)
  }
  return { choices, selected: selected.drawn, top, isTyping, submitText }
}

// Counts down the remaining seconds.

/** Seconds, rounded up, since the first rendering; undefined without a limit. */
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
