// The `customType`s under which imports and exports keep what the other side has no shape for; nothing acts on them.

export const customTypes = {
  /** First event of an imported session: where it came from. */
  origin: 'rxpi.import',
  /** An event of another log that may not be what it was here. */
  leftOut: 'rxpi.left_out',
  /** In a file of pi: only says where the head is, because pi goes on at the last entry. */
  head: 'rxpi.head',
  /** In a file of pi: a message of a role that pi does not know. */
  message: 'rxpi.message',
  /** What stood in an entry of pi beside what its event holds. */
  piFields: 'pi.fields',
  /** An entry of pi that counts usage beside the answers. */
  piUsage: 'pi.usage',
  /** An entry of pi of a type that rxpi does not know. */
  piUnknown: 'pi.unknown',
} as const
