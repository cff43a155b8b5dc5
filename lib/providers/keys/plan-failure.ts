// Says of a failed request with an account's token what it means for the plan, and what to do.
import type { StoredAccount } from '../../streams/accounts/account-storage.ts'
import { Failure } from '../../streams/values/failure.ts'

/** A plan's refusal: `limit` its usage is spent · `model` it has no such model · `refused` it does not cover the request. */
export type PlanIssue = 'limit' | 'model' | 'refused'

const modelCodes: ReadonlySet<unknown> = new Set(['model_not_supported', 'model_not_available', 'unsupported_model'])
const modelPhrases = /model\b.{0,200}\b(is not (supported|available)|not supported when using)/is

/**
 * Returns the failure with what to do, and `data.planIssue`. A plan without the model is an `auth` failure, so that
 * fallbacks follow. Other failures stay as they are.
 */
export function planFailure(failure: Failure, account: StoredAccount, model: string): Failure {
  const planIssue = issueOf(failure)
  if (planIssue === undefined || failure.data['planIssue'] !== undefined) return failure
  const message = `${failure.message.replace(/[.\s]*$/, '')}. ${adviceOn(planIssue, account, model)}`
  const kind = planIssue === 'limit' ? failure.data.kind : 'auth'
  const data = { ...failure.data, ...(kind === undefined ? {} : { kind }), planIssue }
  return new Failure('provider_error', message, { data, cause: failure })
}

function issueOf({ message, data }: Failure): PlanIssue | undefined {
  const { kind, status, providerCode } = data
  if (providerCode === 'usage_not_included') return 'refused'
  if (kind === 'rate_limit' || status === 402) return 'limit'
  const isRequest = status === 400 || status === 403 || status === 404
  if (isRequest && (modelCodes.has(providerCode) || modelPhrases.test(message))) return 'model'
  return kind === 'auth' && status === 403 ? 'refused' : undefined
}

function adviceOn(issue: PlanIssue, { provider, plan }: StoredAccount, model: string): string {
  const whose = `plan${plan === undefined ? '' : ` "${plan}"`} of ${provider}`
  switch (issue) {
    case 'limit':
      return `This is the limit of your ${whose}: wait for it to end, or use another model (/model, --model, fallbacks).`
    case 'model':
      return `Your ${whose} has no model ${model}: rxpi models ${provider} lists others.`
    case 'refused':
      return `Your ${whose} does not cover this request, or its vendor refuses rxpi: docs/accounts.md says what is known.`
  }
}
