// A name that comes from outside is looked up among a record's own: it may be one that every object has.

/** Undefined where the record has no such field of its own, or no name is given. */
export function ownValue<Value>(record: Readonly<Record<string, Value>>, name: string | undefined): Value | undefined {
  return name !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
}
