// Exports what most extensions take of `rxpi`, so that the thread of one need not load all of rxpi.
// Guarantees: each export is that of `rxpi`.
export { defineExtension } from '../../extensions/api/define-extension.ts'
export { messageText } from '../../streams/messages/message-text.ts'
export { errorResult, progress, textResult } from '../../streams/ports/tool.ts'
export { fromAbortable } from '../../streams/rx/from-abortable.ts'
export { fromReadable } from '../../streams/rx/from-readable.ts'
export { defineTool } from '../../streams/tool-definition/define-tool.ts'
export { outputOf } from '../../streams/tool-definition/tool-output.ts'
export { Failure } from '../../streams/values/failure.ts'
