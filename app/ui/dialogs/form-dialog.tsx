// Asks for the fields of a form, one after the other, and answers with their values.
import { useMemo, useState } from 'react'
import type { ReactElement } from 'react'
import type { OpenQuestion } from '../view/fold-questions.ts'
import type { Picked } from './choices.ts'
import { formFields, readField, stepContent } from './form-fields.ts'
import { headOf, questionContent } from './question-content.ts'
import { Question } from './question.tsx'

export interface FormDialogProps {
  readonly question: Extract<OpenQuestion, { readonly type: 'question' }>
  readonly columns: number
  readonly height: number
  /** Gets answers alone. */
  readonly onPick: (picked: Picked) => void
}

export function FormDialog({ question, columns, height, onPick }: FormDialogProps): ReactElement {
  const fields = useMemo(() => formFields(question.schema), [question])
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>({})
  /** -1: the person has not agreed to answer. */
  const [step, setStep] = useState(-1)
  const [problem, setProblem] = useState<string>()
  const field = fields[step]
  const content = useMemo(() => {
    if (field === undefined) return questionContent(question)
    const position = fields.length === 1 ? '' : `${step + 1} of ${fields.length}:`
    return stepContent({ head: headOf(question), message: question.text, field, position, problem })
  }, [field, fields, problem, question, step])
  const goOn = (next: Readonly<Record<string, unknown>>): void => {
    setValues(next)
    setProblem(undefined)
    if (step + 1 < fields.length) setStep(step + 1)
    else onPick({ type: 'answer', outcome: { choice: 'accept', values: next } })
  }
  const pick = (picked: Picked): void => {
    if (picked.type === 'answer' && field === undefined && isAcceptance(picked)) goOn(values)
    else if (picked.type !== 'field' || field === undefined) onPick(picked)
    else if (picked.value !== undefined) goOn({ ...values, [field.name]: picked.value })
    else {
      const read = readField(field, picked.text)
      if (read.problem !== undefined) setProblem(read.problem)
      else goOn(read.value === undefined ? values : { ...values, [field.name]: read.value })
    }
  }
  return <Question key={`${step} ${problem ?? ''}`} content={content} columns={columns} height={height} onPick={pick} />
}

function isAcceptance({ outcome }: Extract<Picked, { readonly type: 'answer' }>): boolean {
  return typeof outcome === 'object' && outcome !== null && 'choice' in outcome && outcome.choice === 'accept'
}
