// Holds the texts of `--help` of the commands that run a server or connect to one.
import type { ServerInvocation } from '../server-invocation.ts'

export const serverHelp: Readonly<Record<ServerInvocation['mode'], string>> = {
  serve: `Usage: rxpi serve [--idle-exit TIME] [--rest-after TIME] [--extension PATH]… [--socket PATH] [--proxy [HOST:]PORT]
                  [--http [HOST:]PORT [--web]]

Runs the server in the foreground: many sessions with many clients each, over a Unix socket that only you can use. It prints
the socket on standard error. Sessions go on without their clients. Ctrl-C, SIGTERM, SIGHUP or rxpi stop ends its runs within 5 s
and closes its sessions; a second signal ends it at once. As a systemd service: docs/server.md.

  --idle-exit TIME  end after this time without client, run and job: 90s, 10m, 2h (default: never); not with --proxy
  --rest-after TIME remove an idle session from memory after this time, until a client names it (default: 10s; never)
  --extension PATH  each session has this extension too, if you trust it; a file or a folder, repeatable (docs/extensions.md)
  --socket PATH     the path of the socket (default: RXPI_SOCKET, else rxpi/rxpi.sock in XDG_RUNTIME_DIR, else in /tmp/rxpi-UID)

The LLM proxy, for pages and programs without a vendor's key (docs/server.md):
  --proxy [HOST:]PORT  listen there for HTTP (default: off; HOST 127.0.0.1). The token comes from RXPI_PROXY_TOKEN, else from
                       a new file; standard error names it
  --proxy-origin O,…   web origins of allowed pages, like https://app.example (default: none)
  --proxy-host H,…     further names of this machine in Host headers (default: none)
  --proxy-model M,…    further models beside the catalogue and models.json, like ollama/qwen3 (default: none)

The gateway, for programs that cannot open a Unix socket, such as pages (docs/gateway.md):
  --http [HOST:]PORT   serve the protocol over WebSocket there (default: off; HOST 127.0.0.1; PORT 0 is any that is free). The
                       token comes from RXPI_HTTP_TOKEN, else from a new file; standard error names it
  --http-origin O,…    web origins of allowed pages, like https://app.example (default: none)
  --http-host H,…      further names of this machine in Host headers (default: none)
  --http-unsafe        allow a HOST that other machines reach, for a TLS proxy in front of it
  --web                serve a web page there too, for sessions in a browser (docs/web.md)

Examples
  rxpi serve
  rxpi serve --idle-exit 10m
  rxpi serve --proxy 8787 --proxy-origin http://localhost:5173
  rxpi serve --http 8788 --http-origin http://localhost:5173
  rxpi serve --http 8788 --web
`,
  stop: `Usage: rxpi stop [--socket PATH]

Ends the server: its runs end (server_shutdown), its sessions are closed. Exit code 0 also without a server.

  --socket PATH  the socket of the server

Example
  rxpi stop
`,
  status: `Usage: rxpi status [--json] [--socket PATH]

Prints the running server: process, version, sessions, clients, memory. Exit code 1 without a server.

  --json         one JSON document, with running: true or false
  --socket PATH  the socket of the server

Example
  rxpi status --json
`,
  rpc: `Usage: rxpi rpc [--socket PATH | --extension PATH …]

The protocol on standard input and output, one JSON object a line, with its own server: docs/protocol.md. It ends when
standard input ends, after the responses; an active run is ended too.

  --socket PATH     use the server at this socket instead; its runs go on
  --extension PATH  each session has this extension too, if you trust it; repeatable (docs/extensions.md)

Examples
  echo '{"id":"1","type":"list_sessions"}' | rxpi rpc
  ssh build-host rxpi rpc --socket /run/user/1000/rxpi/rxpi.sock
`,
  attach: `Usage: rxpi attach <session> [--json] [--tail N | --after SEQ] [--socket PATH]

Prints the last events of a session, then follows it live. Ctrl-C leaves; the session goes on. If no server runs, it starts one in
the background, which ends after 30 minutes without client and run. It reconnects after a lost connection.

  --json         the session log's line 1, then its numbered lines
  --tail N       print the last N events first (default 100)
  --after SEQ    print the events after this number first; 0: all
  --socket PATH  the socket of the server

Examples
  rxpi attach abcdefghij23
  rxpi attach abcdefghij23 --json --after 0 | jq .event.type
`,
  abort: `Usage: rxpi abort <session> [--socket PATH]

Stops the active run of a session at the server and waits until it has ended. The session stays, and rxpi --session continues it.
Exit code 0 also without an active run. rxpi -p runs in its own process: if it has the session, the error names that process
and how to interrupt it (exit code 1).

  --socket PATH  the socket of the server

Example
  rxpi abort abcdefghij23
`,
}
