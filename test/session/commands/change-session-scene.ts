// Provides a session, and commands that change it.
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import type { PlayedSession } from '../../support/virtual-session.ts'

export const tools = [fakeTool('a', 'of a'), fakeTool('b', 'of b')]

export const only = ({ events }: PlayedSession, type: string) => events.filter((event) => event.type === type)
