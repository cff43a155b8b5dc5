// Gives the server the translation of a session's events into AG-UI.
export { toAgUi } from '../../operators/bridges/to-ag-ui.ts'
export type { AgUiEvent } from '../../operators/bridges/ag-ui-events.ts'
