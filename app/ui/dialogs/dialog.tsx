// Shows the open question and sends the answer; the first answer of any client counts.
import type { ReactElement } from 'react'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { useUi } from '../hooks/use-ui.ts'
import type { Ui } from '../contract/ui.ts'
import type { View } from '../view/view.ts'
import { Question } from './question.tsx'

export interface DialogProps {
  readonly view: View
  readonly requestId: string
  readonly columns: number
  readonly height: number
}

export function Dialog({ view, requestId, columns, height }: DialogProps): ReactElement | null {
  const ui = useUi()
  const request = view.requests.find((each) => each.requestId === requestId)
  const session = view.session?.id
  if (request === undefined || session === undefined) return null
  const answer = (outcome: unknown, text?: string): void => {
    ui.input({ type: 'answered', requestId })
    ui.request({
      type: 'ui_response',
      session,
      requestId,
      outcome,
      ...(text === undefined || text === '' ? {} : { text }),
    }).subscribe({
      error: (thrown: unknown) => {
        showAnswerFailure(ui, Failure.from(thrown))
      },
    })
  }
  return <Question key={requestId} request={request} columns={columns} height={height} onAnswer={answer} />
}

function showAnswerFailure(ui: Ui, failure: Failure): void {
  const isLate = 'resolvedBy' in failure.data
  const text = isLate ? 'Your answer came too late: the question was already answered' : failure.message
  ui.input({ type: 'notice', level: isLate ? 'warning' : 'error', text })
}
