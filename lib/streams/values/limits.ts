// Limits of names that clients choose.

/** Most characters of a session's title. */
export const titleLimit = 200

/** Pattern of a client's name, the prefix of its tools' names: 1 to 20 letters, digits and dashes. */
export const clientName = '^[A-Za-z0-9-]{1,20}$'
