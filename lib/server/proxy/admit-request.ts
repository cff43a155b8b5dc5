// Decides on the head of a request whether the proxy answers it, before it reads a byte of the body.
// Guarantees: a request that no rule admits is refused.
import { admitHead, refusal, refuseOtherType } from '../http/admit-head.ts'
import type { Admission, AdmissionRules, RequestHead } from '../http/admit-head.ts'

/** The path for POST requests. */
export const streamPath = '/v1/stream'

const words = { name: 'proxy', hostOption: '--proxy-host', originOption: '--proxy-origin' }

export function admitRequest({ method, target, headers }: RequestHead, rules: AdmissionRules): Admission {
  const admission = admitHead({ method, headers }, { rules, words, pageHeaders: 'authorization, content-type' })
  if (admission.ok !== true) return admission
  const { cors } = admission
  if (target.split('?')[0] !== streamPath) return refusal(404, `This proxy serves only ${streamPath}.`, cors)
  if (method !== 'POST') return refusal(405, `${streamPath} takes POST only.`, cors)
  return refuseOtherType(headers, streamPath, cors) ?? admission
}
