// Lists the `customType`s of imported and exported data without a counterpart.
// Nothing acts on them.

export const customTypes = {
  /** First event of an imported session: its origin. */
  origin: 'rxpi.import',
  /** An event of another log that an import must not keep active. */
  leftOut: 'rxpi.left_out',
  /** In a file of pi: marks the head, because pi continues at the last entry. */
  head: 'rxpi.head',
  /** In a file of pi: a message of a role that pi does not know. */
  message: 'rxpi.message',
  /** Fields of a pi entry that its event does not hold. */
  piFields: 'pi.fields',
  /** A pi entry that counts usage outside of answers. */
  piUsage: 'pi.usage',
  /** A pi entry of a type unknown to rxpi. */
  piUnknown: 'pi.unknown',
} as const
