// Lists published pi packages, pinned: tools, providers, gates, sub-agents, screens.
import type { PublishedPackage } from './try-package.ts'

export const publishedPackages: readonly PublishedPackage[] = [
  { name: 'pi-aliases', version: '1.0.7' },
  { name: 'pi-mermaid', version: '0.3.0' },
  { name: 'pi-mcp-adapter', version: '2.36.0' },
  { name: 'pi-markdown-preview', version: '0.16.0' },
  { name: 'pi-prompt-template-model', version: '0.12.2' },
  { name: 'pi-subagents', version: '0.67.0' },
  { name: 'pi-sync-system-theme', version: '0.2.5' },
  { name: 'pi-system-theme', version: '0.5.0' },
  { name: 'pi-web-access', version: '0.28.0' },
  { name: '@aliou/pi-processes', version: '0.12.0' },
  { name: '@baochunli/pi-collaborating-agents', version: '0.4.6' },
  { name: '@agentuity/pi', version: '2.0.21' },
  { name: '@tintinweb/pi-subagents', version: '0.14.1' },
  { name: 'pi-llamacpp-infra', version: '1.3.1' },
  { name: 'pi-simplify', version: '0.2.2' },
  { name: 'pi-btw', version: '0.4.1' },
  { name: 'pi-plan-mode', version: '0.2.4' },
  { name: 'pi-lens', version: '3.8.73' },
  { name: 'context-mode', version: '1.0.169' },
  { name: '@gotgenes/pi-permission-system', version: '20.7.3' },
  { name: 'pi-autoresearch', version: '1.6.0' },
  { name: 'pi-ollama-cloud', version: '0.12.1' },
]
