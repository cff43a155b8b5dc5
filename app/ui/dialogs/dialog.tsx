// Shows the open question, or all open approvals, and sends the answer.
import { useMemo, useState } from 'react'
import type { ReactElement } from 'react'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { Ui } from '../contract/ui.ts'
import { useUi } from '../hooks/use-ui.ts'
import { openQuestions } from '../view/fold-questions.ts'
import type { OpenQuestion } from '../view/fold-questions.ts'
import type { View } from '../view/view.ts'
import type { Picked } from './choices.ts'
import { isApproval, questionContent, togetherContent } from './question-content.ts'
import { FormDialog } from './form-dialog.tsx'
import { Question } from './question.tsx'

export interface DialogProps {
  readonly view: View
  readonly requestId: string
  readonly columns: number
  readonly height: number
}

export function Dialog({ view, requestId, columns, height }: DialogProps): ReactElement | null {
  const ui = useUi()
  /** Ids of the approvals that are answered together: a later one is not among them. */
  const [joined, join] = useState<readonly string[]>([])
  const approvals = useOpenApprovals(view)
  const together = useMemo(() => approvals.filter((each) => joined.includes(each.requestId)), [approvals, joined])
  const question = openQuestions(view).find((each) => each.requestId === requestId)
  const session = view.session?.id
  const isTogether = together.length > 1
  const content = useMemo(() => {
    if (isTogether) return togetherContent(together)
    return question === undefined ? undefined : questionContent(question, approvals)
  }, [isTogether, together, question, approvals])
  if (question === undefined || content === undefined || session === undefined) return null
  const questions = isTogether ? together : [question]
  const onPick = (picked: Picked): void => {
    if (picked.type === 'together') join(approvals.map((each) => each.requestId))
    else if (picked.type === 'single') join([])
    else if (picked.type === 'answer') for (const each of questions) sendAnswer(ui, session, each, picked)
  }
  // another key mounts the dialog anew, which ignores the next keys
  const key = questions.map((each) => each.requestId).join()
  if (question.type === 'question' && question.kind === 'form')
    return <FormDialog key={key} question={question} columns={columns} height={height} onPick={onPick} />
  return <Question key={key} content={content} columns={columns} height={height} onPick={onPick} />
}

/** The approvals that `question` events ask for: they have the same choices. */
function useOpenApprovals({ questions }: View): readonly OpenQuestion[] {
  return useMemo(() => questions.filter(isApproval), [questions])
}

type Answer = Extract<Picked, { readonly type: 'answer' }>

function sendAnswer(ui: Ui, session: string, { requestId }: OpenQuestion, { outcome, text }: Answer): void {
  ui.input({ type: 'answered', requestId })
  const response = { session, requestId, outcome, ...(text === undefined ? {} : { text }) }
  ui.request({ type: 'ui_response', ...response }).subscribe({
    error: (thrown: unknown) => {
      showAnswerFailure(ui, Failure.from(thrown))
    },
  })
}

function showAnswerFailure(ui: Ui, failure: Failure): void {
  const isLate = 'resolvedBy' in failure.data
  const text = isLate ? 'Your answer came too late: the question was already answered' : failure.message
  ui.input({ type: 'notice', level: isLate ? 'warning' : 'error', text })
}
