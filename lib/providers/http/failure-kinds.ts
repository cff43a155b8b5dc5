// Maps codes and statuses of providers to kinds of failures.
import type { ProviderFailureKind } from '../../streams/values/failure.ts'
import { getOwn } from '../../streams/values/json.ts'

/** The code or type of an error, and its status. */
export interface FailureCodes {
  readonly code?: string
  readonly type?: string
  readonly status?: number
}

const kindsByCode: Readonly<Record<string, ProviderFailureKind>> = {
  context_length_exceeded: 'context_overflow',
  exceed_context_size_error: 'context_overflow',
  model_max_prompt_tokens_exceeded: 'context_overflow',
  tokens_limit_reached: 'context_overflow',
  request_too_large: 'context_overflow',
  // waiting does not help: the account has no money left
  insufficient_quota: 'auth',
  billing_hard_limit_reached: 'auth',
  invalid_api_key: 'auth',
  authentication_error: 'auth',
  permission_error: 'auth',
  usage_limit_reached: 'rate_limit',
  usage_not_included: 'auth',
  rate_limit_exceeded: 'rate_limit',
  rate_limit_error: 'rate_limit',
  overloaded_error: 'overloaded',
  server_error: 'overloaded',
  api_error: 'overloaded',
  content_filter: 'refused',
  content_policy_violation: 'refused',
  // OpenAI's, also of an answer that failed, which has no status
  invalid_prompt: 'refused',
  bio_policy: 'refused',
  misalignment_policy_violation: 'refused',
  image_content_policy_violation: 'refused',
  data_residency_mismatch: 'bad_request',
  invalid_image: 'bad_request',
  invalid_image_format: 'bad_request',
  invalid_image_mode: 'bad_request',
  invalid_image_url: 'bad_request',
  invalid_base64_image: 'bad_request',
  image_too_large: 'bad_request',
  image_too_small: 'bad_request',
  image_file_too_large: 'bad_request',
  image_file_not_found: 'bad_request',
  image_parse_error: 'bad_request',
  unsupported_image_media_type: 'bad_request',
  empty_image_file: 'bad_request',
  failed_to_download_image: 'bad_request',
  invalid_request_error: 'bad_request',
  tool_use_failed: 'bad_request',
  // Google's
  API_KEY_INVALID: 'auth',
  UNAUTHENTICATED: 'auth',
  PERMISSION_DENIED: 'auth',
  RESOURCE_EXHAUSTED: 'rate_limit',
  RATE_LIMIT_EXCEEDED: 'rate_limit',
  UNAVAILABLE: 'overloaded',
  INTERNAL: 'overloaded',
  // Bedrock's
  AccessDeniedException: 'auth',
  UnrecognizedClientException: 'auth',
  ExpiredTokenException: 'auth',
  InternalServerException: 'overloaded',
  ModelErrorException: 'overloaded',
  ModelNotReadyException: 'overloaded',
  ModelStreamErrorException: 'overloaded',
  ModelTimeoutException: 'overloaded',
  ServiceUnavailableException: 'overloaded',
  ServiceQuotaExceededException: 'rate_limit',
  ThrottlingException: 'rate_limit',
  ResourceNotFoundException: 'bad_request',
  ValidationException: 'bad_request',
}

/** Undefined for a code that rxpi does not know. */
export function kindByCode({ code, type, status }: FailureCodes): ProviderFailureKind | undefined {
  const byCode = getOwn(kindsByCode, code) ?? getOwn(kindsByCode, type)
  // a general type is less specific than a status
  return byCode === 'bad_request' && status !== undefined ? undefined : byCode
}

const kindsByStatus: Readonly<Record<number, ProviderFailureKind>> = {
  401: 'auth',
  402: 'auth',
  403: 'auth',
  408: 'network',
  409: 'overloaded',
  429: 'rate_limit',
}

/** Undefined without a status. */
export function kindByStatus(status: number | undefined): ProviderFailureKind | undefined {
  if (status === undefined) return undefined
  return kindsByStatus[status] ?? (status >= 500 ? 'overloaded' : 'bad_request')
}
