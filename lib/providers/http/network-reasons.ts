// Words the reasons why an endpoint could not be reached.

/** Part of the message of a network failure; the endpoint's address is added to it. */
export const unreachable = 'could not be reached'

/** By the code of the system or of the HTTP client. */
export const networkReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there; is it running?',
  EAI_AGAIN: 'the name could not be resolved; is there a network?',
  EPIPE: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_HEADERS_TIMEOUT: 'no answer came in five minutes',
  UND_ERR_BODY_TIMEOUT: 'no data arrived for five minutes',
}

/** The codes of an answer whose data stopped. */
export const stallCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
