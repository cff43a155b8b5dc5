// Names the calls about the files of a client, for server and client.

/** No tool can have such a name. */
export const fileCalls = { read: 'client/read_file', write: 'client/write_file' } as const

/** `details.code` of an error result about a file that the client does not have. */
export const missingFile = 'not_found'
