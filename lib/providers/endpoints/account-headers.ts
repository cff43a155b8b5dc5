// Makes the address and the headers of requests with a plan's account: its session and its initiator.
import type { StoredAccount } from '../../streams/accounts/account-storage.ts'
import type { Message } from '../../streams/messages/message.ts'
import type { ProviderRequest } from '../../streams/ports/provider.ts'
import type { AccountManners } from './preset.ts'

type HeadersOf = (request: ProviderRequest) => Readonly<Record<string, string>>

/** Returns the headers of each request with the account's token. */
export function accountHeaders(form: NonNullable<AccountManners['requestHeaders']>, account: StoredAccount): HeadersOf {
  return form === 'codex' ? (request) => codexHeaders(request, account) : copilotHeaders
}

/** Returns the headers of a request without a conversation. */
export function plainAccountHeaders(
  { headers = {}, requestHeaders }: AccountManners,
  account: StoredAccount,
): Readonly<Record<string, string>> {
  return { ...headers, ...(requestHeaders === 'codex' ? codexHeaders({}, account) : {}) }
}

/** The address of an account's requests: its own one replaces that of the preset only. */
export function accountAddress(
  { baseUrl, isPreset }: { readonly baseUrl: string; readonly isPreset: boolean },
  account: StoredAccount | undefined,
): string {
  return (isPreset ? account?.baseUrl : undefined) ?? baseUrl
}

/** ChatGPT's backend wants the account, and joins the requests of a session. */
function codexHeaders(
  { sessionId }: Pick<ProviderRequest, 'sessionId'>,
  { accountId }: StoredAccount,
): Record<string, string> {
  return {
    ...(accountId === undefined ? {} : { 'chatgpt-account-id': accountId }),
    ...(sessionId === undefined ? {} : { 'session-id': sessionId, 'x-client-request-id': sessionId }),
  }
}

/** Copilot counts a request that follows a tool as the agent's, and wants to know of images. */
function copilotHeaders({ messages, sessionId, model }: ProviderRequest): Record<string, string> {
  const names = model.api === 'openai-responses' && sessionId !== undefined
  return {
    'x-initiator': messages.at(-1)?.role === 'user' ? 'user' : 'agent',
    ...(messages.some(hasImage) ? { 'copilot-vision-request': 'true' } : {}),
    ...(names ? { session_id: sessionId, 'x-client-request-id': sessionId } : {}),
  }
}

function hasImage({ role, content }: Message): boolean {
  const shows = role === 'user' || role === 'toolResult'
  return shows && typeof content !== 'string' && content.some(({ type }) => type === 'image')
}
