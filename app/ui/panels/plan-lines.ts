// Formats the agent's plan: one line, a part around the current step, or every step.
import { span } from '../text/span.ts'
import type { Line } from '../text/span.ts'
import { cutLine } from '../text/wrap-line.ts'
import type { Role } from '../theme/theme.ts'
import type { View } from '../view/view.ts'
import { windowOf } from '../lists/list-state.ts'

type Plan = View['plan']
type Step = Plan[number]

interface StepLook {
  readonly mark: string
  readonly role: Role
  readonly text: Role
}

const looks: Readonly<Record<string, StepLook>> = {
  pending: { mark: '○', role: 'dim', text: 'plain' },
  in_progress: { mark: '◐', role: 'accent', text: 'strong' },
  done: { mark: '✓', role: 'success', text: 'dim' },
  dropped: { mark: '–', role: 'dim', text: 'struck' },
}
/** A state of a newer build. */
const unknownLook: StepLook = { mark: '·', role: 'dim', text: 'plain' }

/** The step that is worked on, else the first pending one; -1 if none is left. */
export function currentStep(plan: Plan): number {
  const working = plan.findIndex(({ state }) => state === 'in_progress')
  return working === -1 ? plan.findIndex(({ state }) => state === 'pending') : working
}

/** `Plan 2/5`: the finished steps without the dropped ones. */
export function planHead(plan: Plan): string {
  const counted = plan.filter(({ state }) => state !== 'dropped')
  return `Plan ${counted.filter(({ state }) => state === 'done').length}/${counted.length}`
}

/** Rows of the panel, if `room` rows are free: none without an open step, one line if there is no room for steps. */
export function planRows(plan: Plan, room: number): number {
  if (room < 1 || currentStep(plan) === -1) return 0
  return room < leastRows ? 1 : Math.min(plan.length + 1, room)
}

/** A head and two steps. */
const leastRows = 3

/** @param rows from `planRows`; the lines have at most `columns` cells */
export function planPanel(plan: Plan, rows: number, columns: number): readonly Line[] {
  const step = plan[currentStep(plan)]
  if (rows === 0 || step === undefined) return []
  if (rows === 1) return [cutLine([span(`${planHead(plan)}: `, 'accent'), span(step.text)], columns)]
  const { from, to } = windowOf(plan.length, currentStep(plan), rows - 1)
  const hidden = plan.length - (to - from)
  const more = hidden === 0 ? [] : [span(` · ${hidden} more: /todo`, 'dim')]
  return [
    cutLine([span(planHead(plan), 'accent'), ...more], columns),
    ...plan.slice(from, to).map((each) => cutLine([span('  '), ...stepLine(each)], columns)),
  ]
}

/** Every step in full, for a page. */
export function planPage(plan: Plan): readonly Line[] {
  if (plan.length === 0) return [[span('There is no plan. The agent writes one with its tool todo.', 'dim')]]
  return plan.map(stepLine)
}

function stepLine({ state, text }: Step): Line {
  const look = looks[state] ?? unknownLook
  return [span(`${look.mark} `, look.role), span(text, look.text)]
}
