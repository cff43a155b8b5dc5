// Tests the failure that describes an error of the file system.
import { describe, expect, it } from 'vitest'
import { errnoOf, storageFailure } from '../../../lib/host/files/storage-failure.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'

const systemError = (code: string) => Object.assign(new Error(`${code}: no`), { code })

describe('storageFailure', () => {
  it.each([
    ['ENOSPC', 'Could not write to /f: no space is left on the disk; free some space and try again'],
    ['EIO', 'Could not write to /f: the disk reports an error'],
  ])('describes %s: the error, the file, and the remedy', (code, message) => {
    const cause = systemError(code)
    expect(storageFailure('write to /f', cause)).toMatchObject({
      code: 'storage',
      message,
      data: { errno: code },
      cause,
    })
  })

  it('accepts any thrown value, and returns a Failure unchanged', () => {
    expect(storageFailure('read', 'text')).toMatchObject({ message: 'Could not read: text', data: {} })
    const failure = new Failure('read_only', 'damaged')
    expect(storageFailure('read', failure)).toBe(failure)
  })
})

describe('errnoOf', () => {
  it.each([
    [systemError('EIO'), 'EIO'],
    [storageFailure('read', systemError('EIO')), 'EIO'],
    [new Failure('storage', 'none'), undefined],
    [new Error('none'), undefined],
    [Object.assign(new Error('number'), { code: 5 }), undefined],
    [systemError('ERR_INVALID_ARG_VALUE'), undefined],
    [Object.assign(systemError('ERR_FS_EISDIR'), { info: { code: 'EISDIR' } }), 'EISDIR'],
    [null, undefined],
    ['EIO', undefined],
  ])('of %s is %s', (thrown, errno) => {
    expect(errnoOf(thrown)).toBe(errno)
  })
})
